import { useRef, useState } from "react";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import { correctAddress } from "../../api/reporter-links.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { TextField } from "../account/TextField.tsx";
import { useAccountForm } from "../account/use-account-form.ts";
import styles from "./SubmittedReport.module.css";

const FAILED = "We couldn't correct the address";

interface CorrectAddressProps {
  readonly reportId: string;
  /** From the submission's answer. It stays in the memory of this page. */
  readonly token: string;
  readonly email: string;
  readonly onCorrected: (email: string) => void;
}

/** Lets whoever has just submitted a report correct a mistyped address. */
export function CorrectAddress(props: CorrectAddressProps) {
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
  /** The last address that was sent, and its key: a repeated press is one correction. */
  const sent = useRef({ email: "", key: "" });
  const { form, submit, isSending, refusal, field } = useAccountForm({
    initial: { email: former },
    check: ({ email }) => problemsOf(email.trim(), former),
    async send({ email: typed }) {
      const email = typed.trim();
      if (sent.current.email !== email) sent.current = { email, key: newIdempotencyKey() };
      await correctAddress(api, reportId, { token, email }, sent.current.key);
      onCorrected(email);
      onClose();
    },
    failed: { refused: FAILED, unanswered: `${FAILED}. Please try again in a moment.` },
    prefix: "correct",
  });
  return (
    <form ref={form} className={styles.correct} onSubmit={submit} noValidate>
      {refusal && !refusal.isOfField && (
        <Notice tone="error" role="alert">
          <p>{refusal.message}</p>
        </Notice>
      )}
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
          {isSending ? "Sending…" : "Send the Email Here"}
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
