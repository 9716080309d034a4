import {
  type Dispatch,
  type FormEvent,
  type RefObject,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import { Link, useActionData, useLoaderData, useLocation } from "react-router-dom";
import { latestDate as latestDateAt } from "#contracts/report/fields.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { REPORT_TYPES, type ReportType, TERMS_OUTDATED } from "#contracts/report/words.ts";
import { DRAFT_DAYS } from "#contracts/retention.ts";
import { Button } from "../../components/Button.tsx";
import { ErrorSummary } from "../../components/ErrorSummary.tsx";
import { LeaveGuard } from "../../components/LeaveGuard.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { removeDraft } from "../../lib/draft-storage.ts";
import { formatDate, formatOwnMoment } from "../../lib/format.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { KEY } from "../../lib/plain-fields.ts";
import { useAfterPress } from "../../lib/use-after-press.ts";
import { useAccount } from "../../session/site-session.ts";
import type { TermsData } from "../content/terms.loader.ts";
import { EvidenceField } from "../evidence/EvidenceField.tsx";
import { evidenceProblem, evidenceReducer, namedUploads } from "../evidence/evidence-state.ts";
import { FormSections } from "./FormSections.tsx";
import { FormContext, type FormContextValue } from "./form-context.ts";
import { FIELD_ORDER, FORM_FIELDS } from "./form-fields.ts";
import {
  type FormAction,
  type FormState,
  formReducer,
  isDirty,
  openForm,
  reportType,
} from "./form-state.ts";
import { Preview } from "./Preview.tsx";
import { toPayload } from "./payload.ts";
import { type PlainSubmission, SHOWN_TERMS, TERMS } from "./plain-form.ts";
import { controlId, inOrder, labeled, problemsOf } from "./problems.ts";
import { SameOrderNotice, useSameOrder } from "./SameOrder.tsx";
import styles from "./SubmitReportPage.module.css";
import { SubmittedReport } from "./SubmittedReport.tsx";
import { type Origin, useDraft } from "./use-draft.ts";
import { type Submitted, useSubmission } from "./use-submission.ts";

export { reportAction as action } from "./report.action.ts";

/** The form or, after submission, what happens next. */
export function Component() {
  const plain = useActionData<PlainSubmission>();
  const [submitted, setSubmitted] = useState<Submitted | null>(() => submittedBy(plain));
  const isSent = plain?.result?.state === "submitted";
  // After the form is gone: until then it may save the draft once more.
  useEffect(() => {
    if (submitted) removeDraft();
  }, [submitted]);
  return (
    <>
      <PageHead
        title="Report chargeback fraud or a bad check"
        description="Report chargeback fraud or a bad check. We review every report before publishing it and keep your details private."
        path={paths.submitReport}
      />
      {submitted ? (
        <SubmittedReport {...submitted} onAnother={() => setSubmitted(null)} />
      ) : (
        <ReportForm onSubmitted={setSubmitted} plain={isSent ? undefined : plain} />
      )}
    </>
  );
}

function submittedBy(plain: PlainSubmission | undefined): Submitted | null {
  if (plain?.result?.state !== "submitted") return null;
  return { ...plain.result, email: plain.form.fields.reporter_email };
}

function ReportForm(props: {
  onSubmitted: (submitted: Submitted) => void;
  /** The browser's own submission, before the page's scripts ran. */
  plain: PlainSubmission | undefined;
}) {
  const { onSubmitted, plain } = props;
  const { search } = useLocation();
  const { termsVersion } = useLoaderData<TermsData>();
  const [state, dispatch] = useReducer(formReducer, openForm(search, termsVersion, plain?.form));
  const [latestDate] = useState(() => latestDateAt(Date.now()));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const afterPress = useAfterPress();
  const [attempt, setAttempt] = useState(plain ? 1 : 0);
  // Created on the first submission, and reused for retries.
  const key = useRef(plain?.key);
  const element = useRef<HTMLFormElement>(null);
  useTypedEarly(element, state, dispatch);
  const draft = useDraft(state, dispatch, useAccount(), plain);
  const [evidence, dispatchEvidence] = useReducer(evidenceReducer, []);
  const submission = useSubmission(state, evidence, dispatch, onSubmitted, plain?.result);
  const problems = useMemo((): Problems => {
    const unsent = evidenceProblem(evidence);
    return { ...problemsOf(state, latestDate), ...(unsent ? { evidence: unsent } : {}) };
  }, [state, evidence, latestDate]);
  const refused = submission.refusal(state, evidence);
  const earlier = useSameOrder(state.fields);
  const shown = { ...refused?.fields, ...problems };
  const type = reportType(state);
  const isLeft = (path: string) => attempt > 0 || left.has(path);
  const own = useMemo(() => ownNumbers(toPayload(state)), [state]);

  const form: FormContextValue = {
    state,
    type,
    dispatch,
    latestDate,
    earlier,
    problemOf: (path) => (isLeft(path) || !problems[path] ? shown[path] : undefined),
    isLeft,
    own,
    leave: (path) =>
      afterPress(() =>
        setLeft((before) => (before.has(path) ? before : new Set(before).add(path))),
      ),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (submission.isRunning) return;
    setAttempt(attempt + 1);
    if (Object.keys(problems).length > 0) return;
    const files = namedUploads(evidence);
    const payload = { ...toPayload(state), ...(files.length > 0 ? { evidence: files } : {}) };
    key.current ??= newIdempotencyKey();
    submission.send(payload, key.current);
  }

  const intro = useRef<HTMLHeadingElement>(null);
  function discard() {
    draft.discard();
    setAttempt(0);
    setLeft(new Set());
    intro.current?.focus();
  }

  const listed = inOrder(shown, FIELD_ORDER);
  return (
    <form
      ref={element}
      className={styles.form}
      method="post"
      action={paths.submitReport}
      onSubmit={submit}
      noValidate
    >
      <LeaveGuard
        active={isDirty(state) || evidence.length > 0}
        title="Leave without submitting?"
        {...(draft.isKept ? { lost: KEPT } : {})}
      />
      <div className={styles.intro}>
        <h1 ref={intro} tabIndex={-1}>
          Report chargeback fraud or a bad check
        </h1>
        <p>
          We'll confirm your email, then a moderator will review the report. Approved reports are
          public and permanent.
        </p>
        <p className={styles.legend}>
          <span className={styles.swatch} aria-hidden="true" /> Shaded fields aren't published. We
          keep them encrypted.
        </p>
      </div>
      {draft.origin && <FilledIn origin={draft.origin} onDiscard={discard} />}
      <PlainFormNote type={type} />
      {attempt > 0 && (listed.length > 0 || submission.problem) && !submission.isRunning && (
        <ErrorSummary
          problems={listed.map(([path, sentence]) => [
            controlId(path),
            labeled(path, sentence, state.fields),
          ])}
          refusal={
            submission.problem && Object.keys(problems).length === 0
              ? { title: "Your report wasn't submitted", message: submission.problem }
              : undefined
          }
          attempt={attempt + submission.answers}
        />
      )}
      <FormContext value={form}>
        <FormSections />
      </FormContext>
      <EvidenceField
        items={evidence}
        dispatch={dispatchEvidence}
        problemOf={(path) => (attempt > 0 ? { ...refused?.fields, ...problems }[path] : undefined)}
      />
      <Preview state={state} />
      <div className={styles.terms}>
        <label className={styles.tick}>
          <input
            id={controlId(TERMS)}
            name={TERMS}
            type="checkbox"
            checked={state.termsAccepted}
            onChange={(event) =>
              dispatch({ type: "accept-terms", accepted: event.currentTarget.checked })
            }
          />
          <span>
            I have read and agree to the{" "}
            <Link to={paths.terms} target="_blank">
              Terms of Service
            </Link>
            . What I report is true, and I know that an approved report is public and permanent.
          </span>
        </label>
        {earlier && <SameOrderNotice report={earlier} />}
        <PlainSubmit {...(plain ? { formKey: plain.key } : {})} terms={state.termsVersion} />
        <Button
          type="submit"
          className="needs-script"
          disabled={!state.termsAccepted || submission.isRunning}
        >
          {submission.isRunning ? "Submitting…" : "Submit Report"}
        </Button>
        {!state.termsAccepted && (
          <p className={`${styles.why} needs-script`}>
            {state.termsChanged ? TERMS_OUTDATED : "Agree to the terms to submit the report."}
          </p>
        )}
        {draft.isKept && <KeptDraft onDiscard={discard} />}
      </div>
    </form>
  );
}

const KEPT = `We save a draft in this browser for ${DRAFT_DAYS} days, without card, bank or contact details.`;

const LEFT_OUT = "Card, bank and contact details are never saved";

/** Says which source the form was filled in from. */
export function FilledIn({ origin, onDiscard }: { origin: Origin; onDiscard: () => void }) {
  const isDraft = origin.kind === "draft";
  return (
    <Notice tone="info" role="status">
      <p>
        {isDraft
          ? `We restored your draft from ${formatOwnMoment(origin.at)}. ${LEFT_OUT}: please enter them again.`
          : `We filled in this form from the report you submitted on ${formatDate(origin.at)}. Make your changes before you submit it again.`}
      </p>
      <p className={styles.discard}>
        <Button kind="secondary" onClick={onDiscard}>
          {isDraft ? "Discard draft" : "Clear form"}
        </Button>
      </p>
    </Notice>
  );
}

/** Says, below the form, that what is typed is saved in this browser. */
export function KeptDraft({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.draft}>
      <p>
        We save a draft in this browser for {DRAFT_DAYS} days, or until you sign out. {LEFT_OUT}.
      </p>
      <Button kind="quiet" onClick={onDiscard}>
        Discard draft
      </Button>
    </div>
  );
}

/** What the form can do without JavaScript, with a link to the other report type. */
export function PlainFormNote({ type }: { type: ReportType }) {
  const other: ReportType = type === "chargeback" ? "bad_check" : "chargeback";
  return (
    <noscript>
      <Notice tone="warning">
        <p>
          Without JavaScript the form works, but you can't add evidence or additional chargebacks.{" "}
          <a href={`${paths.submitReport}?type=${other}`}>
            Report a {REPORT_TYPES[other].toLowerCase()} instead
          </a>
        </p>
      </Notice>
    </noscript>
  );
}

/** The submit button for browsers without JavaScript, the idempotency key, and the version of the terms shown. */
export function PlainSubmit({ formKey, terms }: { formKey?: string; terms: string }) {
  const [key] = useState(() => formKey ?? newIdempotencyKey());
  return (
    <>
      {/* Also for a form that is submitted before the scripts run. */}
      <input type="hidden" name={SHOWN_TERMS} value={terms} />
      <noscript>
        <input type="hidden" name={KEY} value={key} />
        <Button type="submit">Submit Report</Button>
      </noscript>
    </>
  );
}

/**
 * Takes over values typed, chosen or autofilled before hydration, which React would replace with its own empty
 * ones.
 */
export function useTypedEarly(
  form: RefObject<HTMLFormElement | null>,
  state: FormState,
  dispatch: Dispatch<FormAction>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start.
  useEffect(() => {
    const controls = form.current?.elements;
    if (!controls) return;
    for (const field of FORM_FIELDS) {
      const value = typedIn(controls.namedItem(field));
      if (value !== undefined && value !== state.fields[field]) {
        dispatch({ type: "set", field, value });
      }
    }
    const terms = controls.namedItem(TERMS);
    const accepted = terms instanceof HTMLInputElement && terms.checked;
    if (accepted && !state.termsAccepted) dispatch({ type: "accept-terms", accepted });
  }, []);
}

/** Returns a control's value; undefined if this type of report doesn't have the field. */
function typedIn(control: Element | RadioNodeList | null): string | undefined {
  const isTyped =
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement ||
    control instanceof RadioNodeList;
  return isTyped ? control.value : undefined;
}
