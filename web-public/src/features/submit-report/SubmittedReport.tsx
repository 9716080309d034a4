import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { VERIFICATION_HOURS } from "#contracts/report/words.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useKeyFor } from "../../lib/use-key-for.ts";
import { TextField } from "../account/TextField.tsx";
import { useAccountForm } from "../account/use-account-form.ts";
import styles from "./SubmittedReport.module.css";

const pathOf = (reportId: string) => `/api/reports/${encodeURIComponent(reportId)}`;

/** Replaces the submitted form and says what happens next. */
export function SubmittedReport(props: {
  reportId: string;
  email: string;
  /** The address is the confirmed one of the account that submitted the report. */
  confirmed?: true | undefined;
  /** Allows correcting the address; absent if there is nothing to confirm. */
  correctionToken?: string | undefined;
  message: string;
  /** The same form had already been received. */
  repeated?: true | undefined;
  onAnother: () => void;
}) {
  const { reportId, correctionToken } = props;
  const number = reportNumber(reportId);
  const [email, setEmail] = useState(props.email);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  return (
    <div className={styles.page}>
      <h1 ref={heading} tabIndex={-1}>
        {props.repeated ? "Already submitted" : "Thank you"}
      </h1>
      <p className={styles.message}>
        {props.repeated
          ? "You've already submitted this report, so we didn't create a second one."
          : props.message}
      </p>
      <p>
        Your report number is <strong className={styles.number}>{number}</strong>.{" "}
        {props.confirmed ? (
          <>
            Your <Link to={paths.dashboard}>dashboard</Link> shows its status.
          </>
        ) : (
          "Every email about this report includes a link to its status."
        )}
      </p>
      <h2>What happens next</h2>
      <ol>
        {!props.confirmed && (
          <li>
            <strong>Confirm your email.</strong> We've emailed <span role="status">{email}</span>.
            Open the link in that email within {VERIFICATION_HOURS} hours.
          </li>
        )}
        <li>
          <strong>We review the report.</strong> A moderator reads it. Nothing is published before
          that.
        </li>
        <li>
          <strong>We let you know.</strong> We'll email you when it's approved or rejected.
        </li>
      </ol>
      {!props.confirmed && <Resend key={email} reportId={reportId} email={email} />}
      {correctionToken && (
        <CorrectAddress
          reportId={reportId}
          token={correctionToken}
          email={email}
          onCorrected={(corrected) => {
            setEmail(corrected);
            heading.current?.focus();
          }}
        />
      )}
      <div className={styles.actions}>
        <Button onClick={props.onAnother}>Submit another report</Button>
        <ButtonLink to={paths.search} kind="secondary">
          Browse Reports
        </ButtonLink>
      </div>
    </div>
  );
}

function Resend({ reportId, email }: { reportId: string; email: string }) {
  const api = useApi();
  const [isSent, setSent] = useState(false);
  const { isBusy, failure, run } = useAction(
    "We couldn't resend the email. Please try again in a moment.",
  );
  async function resend() {
    await api.post(`${pathOf(reportId)}/resend-verification`, { body: { email } });
    setSent(true);
  }
  return (
    <div className={`${styles.resend} needs-script`}>
      <p role="status">
        {isSent
          ? "We've sent a new email. Links in earlier emails still work."
          : (failure ?? "Didn't get the email? Check your spam folder or resend it.")}
      </p>
      {!isSent && (
        <Button kind="quiet" disabled={isBusy} onClick={() => void run(resend)}>
          Resend the email
        </Button>
      )}
    </div>
  );
}

interface CorrectAddressProps {
  readonly reportId: string;
  /** From the submission's response. Kept only in this page's memory. */
  readonly token: string;
  readonly email: string;
  readonly onCorrected: (email: string) => void;
}

function CorrectAddress(props: CorrectAddressProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <div className={`${styles.resend} needs-script`}>
        <p>Wrong email address?</p>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          Change it
        </Button>
      </div>
    );
  return <AddressForm {...props} onClose={() => setOpen(false)} />;
}

function AddressForm(props: CorrectAddressProps & { onClose: () => void }) {
  const { reportId, token, email: former, onCorrected, onClose } = props;
  const api = useApi();
  const keyFor = useKeyFor();
  const { form, submit, isSending, refusal, field } = useAccountForm({
    initial: { email: former },
    check: ({ email }) => problemsOf(email.trim(), former),
    async send({ email: typed }) {
      const email = typed.trim();
      await api.post(`${pathOf(reportId)}/correct-address`, {
        body: { token, email },
        idempotencyKey: keyFor(email),
      });
      onCorrected(email);
      onClose();
    },
    failed: "We couldn't change the address",
    prefix: "correct",
  });
  return (
    <form ref={form} className={styles.correct} onSubmit={submit} noValidate>
      <Failure text={refusal?.isOfField ? null : refusal?.message} />
      <TextField
        field={field("email")}
        label="Your email"
        type="email"
        autoComplete="email"
        required
        hint="We'll send a new link to that address. The previous link will stop working."
      />
      <div className={styles.buttons}>
        <Button type="submit" disabled={isSending}>
          {isSending ? "Sending…" : "Resend to This Address"}
        </Button>
        <Button kind="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function problemsOf(email: string, former: string): Record<string, string> {
  if (!isEmail(email)) return { email: EMAIL_SENTENCE };
  const isSame = email.toLowerCase() === former.toLowerCase();
  return isSame ? { email: "We already sent the link to this address" } : {};
}
