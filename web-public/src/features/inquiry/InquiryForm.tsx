import { useEffect, useRef, useState } from "react";
import type { Static } from "typebox";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { InquiryReply } from "#contracts/http/inquiries.ts";
import {
  AGREED,
  ATTACHMENT,
  HONEYPOT,
  type InquiryField,
  type InquiryKind,
  inquiryForms,
  inquiryProblems,
  tidyInquiry,
} from "#contracts/inquiry/inquiry-forms.ts";
import { FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import fields from "../../components/Field.module.css";
import { LeaveGuard } from "../../components/LeaveGuard.tsx";
import { Notice } from "../../components/Notice.tsx";
import { useSiteConfig } from "../../config/site-config.tsx";
import { takeFocus } from "../../lib/take-focus.ts";
import { useKeyFor } from "../../lib/use-key-for.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { AccountForm } from "../account/AccountPage.tsx";
import { FieldFrame, TextField } from "../account/TextField.tsx";
import { type FieldOfForm, useAccountForm } from "../account/use-account-form.ts";
import { ACCEPTED, fileProblem, nameOf, sizeText } from "../evidence/choose-files.ts";
import { deleteUpload, FileNotSent, sendFile } from "../evidence/send-file.ts";
import styles from "./InquiryForm.module.css";

/** The opened case: its number, and when to expect an answer. */
type OpenedCase = Static<typeof InquiryReply>["data"];

/** A form that goes to staff, built from its definition. After sending, shows the case's number. */
export function InquiryForm(props: {
  kind: InquiryKind;
  submit: string;
  /** The plan chosen on the page, which fills in its field. */
  chosen?: string;
}) {
  const [sent, setSent] = useState<OpenedCase>();
  if (sent)
    return <SentInquiry kind={props.kind} sent={sent} onAnother={() => setSent(undefined)} />;
  return <OpenForm {...props} onSent={setSent} />;
}

function OpenForm(
  props: Parameters<typeof InquiryForm>[0] & { onSent: (sent: OpenedCase) => void },
) {
  const { kind, chosen, onSent } = props;
  const { fields, title, attachment } = inquiryForms[kind];
  const { supportEmail } = useSiteConfig();
  const visitors = useApi();
  const session = useSiteSession();
  const keyFor = useKeyFor();
  const form = useAccountForm({
    initial: emptyAnswers(kind),
    prefix: kind,
    check: (values) => ({
      ...inquiryProblems(kind, tidyInquiry(values)),
      ...fileProblems(ATTACHMENT, values[ATTACHMENT]),
    }),
    async send({ [ATTACHMENT]: attached, ...values }) {
      const file = fileOf(attached);
      const answers = { ...tidyInquiry(values), ...(file ? { [ATTACHMENT]: file } : {}) };
      // What an account sends is included in its data export.
      const isVisitor = session.current().state === "signed_out";
      const api = isVisitor ? visitors : accountClient(storeOf(session));
      const path = inquiryForms[kind].path.replace(/^\/prod/, "");
      const sending = { body: answers, idempotencyKey: keyFor(answers) };
      const { data } = await api.post<OpenedCase>(path, sending).catch(ended);
      if (data) onSent(data);
    },
    failed: "We couldn't send the form",
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another plan is chosen.
  useEffect(() => {
    if (chosen) form.field("plan").onChange(chosen);
  }, [chosen]);
  return (
    <>
      <noscript>
        <Notice tone="warning">
          <p>
            This form needs JavaScript. Without it, write to{" "}
            <a href={`mailto:${supportEmail}?subject=${encodeURIComponent(title)}`}>
              {supportEmail}
            </a>
            .
          </p>
        </Notice>
      </noscript>
      <LeaveGuard active={form.isDirty && !form.isSending} title="Leave this form?" />
      <AccountForm form={form} submit={props.submit} sending="Sending…">
        {Object.entries(fields).map(([name, row]) => (
          <InquiryControl key={name} row={row} field={form.field(name)} />
        ))}
        {attachment && <AttachmentField {...attachment} field={form.field(ATTACHMENT)} />}
        <label className={styles.trap} aria-hidden="true">
          Leave this field empty
          <input
            name={HONEYPOT}
            tabIndex={-1}
            autoComplete="off"
            value={form.values[HONEYPOT] ?? ""}
            onChange={(event) => form.field(HONEYPOT).onChange(event.currentTarget.value)}
          />
        </label>
      </AccountForm>
    </>
  );
}

/** An ended session doesn't block the form: the next press sends it without the account. */
function ended(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  const explanation =
    "Your session has ended, and nothing was sent. Select the button again to send it without your account.";
  throw new ApiError(error.status, { code: error.code, explanation, cause: error });
}

function emptyAnswers(kind: InquiryKind): Record<string, string> {
  const { fields, attachment } = inquiryForms[kind];
  const names = [...Object.keys(fields), ...(attachment ? [ATTACHMENT] : []), HONEYPOT];
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** What happens next, once the form is sent. Takes the focus. */
function SentInquiry(props: { kind: InquiryKind; sent: OpenedCase; onAnother: () => void }) {
  const { number, promise } = props.sent;
  return (
    <>
      <Notice tone="success">
        <h2 ref={takeFocus} tabIndex={-1}>
          {inquiryForms[props.kind].title} {number}
        </h2>
        <p>We've received your message. {promise}</p>
        <p>We've emailed you this number. Please include it when you write to us.</p>
      </Notice>
      <p>
        <Button kind="secondary" onClick={props.onAnother}>
          Send another message
        </Button>
      </p>
    </>
  );
}

const TYPES = { email: "email", phone: "tel" } as const;

function InquiryControl({ row, field }: { row: InquiryField; field: FieldOfForm }) {
  const { kind, label, choices, hint } = row;
  if (kind === "statement")
    return (
      <Statement
        label={label}
        field={field}
        onChange={(isAgreed) => field.onChange(isAgreed ? AGREED : "")}
      />
    );
  const shared = {
    field,
    label,
    required: row.required === true,
    autoComplete: row.autocomplete ?? "off",
    ...(hint ? { hint } : {}),
  };
  if (choices)
    return (
      <FieldFrame {...shared}>
        {({ maxLength: _, ...control }) => (
          <select {...control}>
            <option value="">Not sure yet</option>
            {Object.entries(choices).map(([code, words]) => (
              <option key={code} value={code}>
                {words}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
    );
  const type = kind === "email" || kind === "phone" ? TYPES[kind] : "text";
  return (
    <TextField
      {...shared}
      type={type}
      maxLength={row.max}
      {...(kind === "prose" ? { rows: 4 } : {})}
    />
  );
}

function Statement(props: {
  label: string;
  field: FieldOfForm;
  onChange: (isAgreed: boolean) => void;
}) {
  const { id, name, value, problem, onBlur } = props.field;
  return (
    <div className={styles.statement}>
      {problem && (
        <p id={`${id}-problem`} className={fields.problem}>
          <span className="visually-hidden">Error: </span>
          {problem}
        </p>
      )}
      <label htmlFor={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value={AGREED}
          checked={value === AGREED}
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onBlur={onBlur}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        <span>{props.label}</span>
      </label>
    </div>
  );
}

/** A form's file, which is uploaded immediately. */
function AttachmentField(props: {
  readonly label: string;
  readonly hint: string;
  readonly field: FieldOfForm;
}) {
  const { field, hint } = props;
  const { maxFileSize } = useSiteConfig();
  /** Undefined while the connection is lost. */
  const [share, setShare] = useState<number | undefined>(0);
  const [problem, setProblem] = useState<string>();
  const [words, setWords] = useState("");
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const file = fileOf(field.value);
  const isSending = field.value === ON_ITS_WAY;

  async function send(chosen: File) {
    const wrong = fileProblem(chosen, maxFileSize);
    setProblem(wrong);
    if (wrong) return;
    sending.current = new AbortController();
    const { signal } = sending.current;
    setShare(0);
    field.onChange(ON_ITS_WAY);
    try {
      const upload = await sendFile(chosen, {
        onProgress: setShare,
        onBroken: () => setShare(undefined),
        signal,
      });
      setWords(`${FILE_TYPES[upload.type]}, ${sizeText(upload.size)}`);
      field.onChange(fileValue({ ...upload, name: nameOf(chosen) }));
    } catch (error) {
      if (signal.aborted) return;
      field.onChange("");
      if (!(error instanceof FileNotSent)) throw error;
      setProblem(error.message);
    }
  }

  function remove() {
    sending.current?.abort();
    if (file) void deleteUpload(file);
    field.onChange("");
  }

  return (
    <FieldFrame
      {...props}
      hint={`Up to ${maxFileSize} MB. ${hint}`}
      field={{ ...field, problem: problem ?? field.problem }}
      autoComplete="off"
    >
      {({ id, className, "aria-describedby": described, "aria-invalid": invalid }) =>
        file || isSending ? (
          <div className={styles.file}>
            <p id={id} role="status">
              {file ? `${file.name} (${words})` : stateInWords(share)}
            </p>
            <Button kind="secondary" onClick={remove}>
              {file ? "Remove file" : "Cancel upload"}
            </Button>
          </div>
        ) : (
          <input
            id={id}
            className={className}
            aria-describedby={described}
            aria-invalid={invalid}
            type="file"
            accept={ACCEPTED}
            onChange={({ currentTarget: { files } }) => {
              if (files?.[0]) void send(files[0]);
            }}
          />
        )
      }
    </FieldFrame>
  );
}

function stateInWords(share: number | undefined): string {
  if (share === undefined) return "The connection was lost. Trying again…";
  return `Uploading, ${Math.floor(share * 100)}%`;
}

/** The file field's value during the upload. Other values are "" and the result of {@link fileValue}. */
const ON_ITS_WAY = "sending";

function fileValue({ id, secret, name }: NamedUpload): string {
  return JSON.stringify({ id, secret, name });
}

/** Parses the file from a value; undefined if there is none. */
function fileOf(value: string | undefined): NamedUpload | undefined {
  return value && value !== ON_ITS_WAY ? (JSON.parse(value) as NamedUpload) : undefined;
}

function fileProblems(name: string, value: string | undefined): Record<string, string> {
  return value === ON_ITS_WAY ? { [name]: "Please wait until the file is uploaded" } : {};
}
