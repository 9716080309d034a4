import { useState } from "react";
import { Link } from "react-router-dom";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  RESET_EMAIL_MISSING,
} from "#contracts/account/account-words.ts";
import { RESET_LINK_MINUTES } from "#contracts/account/deadlines.ts";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { takeFocus } from "../../lib/take-focus.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { ResetSteps } from "./ResetSteps.tsx";
import { TextField } from "./TextField.tsx";
import { useAccountForm } from "./use-account-form.ts";

const EMPTY = { email: "" };

function check({ email }: typeof EMPTY): Problems {
  if (!email.trim()) return { email: RESET_EMAIL_MISSING };
  return isEmail(email.trim()) ? {} : { email: EMAIL_SENTENCE };
}

/** The first step of a reset: the address, and then the way to the inbox. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AccountPage title="Reset your password">
      <ResetSteps current={0} />
      {sentTo === null ? (
        <RequestForm onSent={setSentTo} />
      ) : (
        <CheckInbox email={sentTo} onAgain={() => setSentTo(null)} />
      )}
      <p className={styles.links}>
        <Link to={paths.login}>Back to sign in</Link>
      </p>
    </AccountPage>
  );
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const api = useApi();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ email }) {
      await api.post("/api/auth/forgot-password", { body: { email: email.trim() } });
      onSent(email.trim());
    },
    failed: { refused: ACCOUNT_FAILED.resetMail, unanswered: ACCOUNT_UNANSWERED.resetMail },
  });
  return (
    <AccountForm form={form} submit="Send Reset Link" sending="Sending…">
      <TextField
        field={form.field("email")}
        label="Email"
        type="email"
        autoComplete="username"
        hint="The email address of your account."
        required
      />
    </AccountForm>
  );
}

function CheckInbox({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <>
      <h2 ref={takeFocus} tabIndex={-1}>
        Check your inbox
      </h2>
      <Notice tone="success" role="status">
        <p>{ACCOUNT_DONE.resetMail}</p>
      </Notice>
      <p>
        If <strong>{email}</strong> has an account, we've emailed it a link that works once, within{" "}
        {RESET_LINK_MINUTES} minutes. Didn't get it? Check your spam folder.
      </p>
      <div className={styles.actions}>
        <Button kind="secondary" onClick={onAgain}>
          Use another address
        </Button>
      </div>
    </>
  );
}
