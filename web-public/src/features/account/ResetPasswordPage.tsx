import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  RESET_EMAIL_MISSING,
} from "#contracts/account/account-messages.ts";
import { RESET_LINK_MINUTES } from "#contracts/account/deadlines.ts";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { takeFocus } from "../../lib/take-focus.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./PasswordFields.tsx";
import { TextField } from "./TextField.tsx";
import { useAccountForm } from "./use-account-form.ts";

/** The target of an emailed link: the second and third step of a reset, or an invitation. */
export function ResetPasswordPage() {
  const { token = "" } = useParams();
  const [query] = useSearchParams();
  const [isDone, setDone] = useState(false);
  const form = { token, onDone: () => setDone(true) };
  if (query.has("invited"))
    return (
      <AccountPage title="Set your password">
        {isDone ? (
          <PasswordIsSet isFirst />
        ) : (
          <>
            <p>
              An admin created an account for you. Choose a password for it: that also confirms your
              email address.
            </p>
            <NewPasswordForm
              {...form}
              ifInvalid={
                <>
                  If you've already set a password, <Link to={paths.login}>sign in</Link>. If you
                  haven't, ask an admin to invite you again.
                </>
              }
            />
          </>
        )}
      </AccountPage>
    );
  return (
    <AccountPage title="Reset your password">
      <ResetSteps current={isDone ? 2 : 1} />
      {isDone ? <PasswordIsSet /> : <NewPasswordForm {...form} />}
    </AccountPage>
  );
}

/** Confirms that the password is set, and leads to the sign-in. */
export function PasswordIsSet({ isFirst = false }: { readonly isFirst?: boolean }) {
  return (
    <>
      <h2 ref={takeFocus} tabIndex={-1}>
        Your password is set
      </h2>
      {!isFirst && (
        <Notice tone="success" role="status">
          <p>{ACCOUNT_DONE.reset}</p>
        </Notice>
      )}
      <p>
        {isFirst
          ? "Your email address is confirmed. Sign in with it and your password."
          : "We've signed you out everywhere. Sign in with your new password."}
      </p>
      <div className={styles.actions}>
        <ButtonLink to={paths.login}>Go to Login</ButtonLink>
      </div>
    </>
  );
}

const EMPTY = { email: "" };

function check({ email }: typeof EMPTY): Problems {
  if (!email.trim()) return { email: RESET_EMAIL_MISSING };
  return isEmail(email.trim()) ? {} : { email: EMAIL_SENTENCE };
}

/** The first step of a reset: the address, and then a hint to check the inbox. */
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
          Use a different address
        </Button>
      </div>
    </>
  );
}

const STEPS = ["Request Reset", "Enter New Password", "Complete"] as const;

function ResetSteps({ current }: { current: 0 | 1 | 2 }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map((step, i) => (
        <li key={step} aria-current={i === current ? "step" : undefined}>
          {step}
          {i < current && <span className="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
