import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { ACCOUNT_FAILED } from "#contracts/account/account-messages.ts";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import type { Challenge } from "#contracts/http/account.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { dismissToasts } from "../../components/toast-store.ts";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { useSiteSession } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { hasEnded, nextPage, whySignIn } from "./after-sign-in.ts";
import { type OpenedSession, openSession, useGoOn } from "./open-session.ts";
import { CodeField, codeProblems, PasswordField } from "./PasswordFields.tsx";
import { TextField } from "./TextField.tsx";
import { useAccountForm, useFocusInside } from "./use-account-form.ts";

const EMPTY = { email: "", password: "" };

function check({ email, password }: typeof EMPTY): Problems {
  const problems: Problems = {};
  if (!email.trim()) problems.email = "Email is required";
  else if (!isEmail(email.trim())) problems.email = EMAIL_SENTENCE;
  if (!password) problems.password = "Password is required";
  return problems;
}

/** The sign-in page for both the site and the console. Afterwards the user continues to where they were going. */
export function LoginPage() {
  const { search } = useLocation();
  const why = whySignIn(search);
  useGoOn(nextPage(search));
  const isEnded = hasEnded(search);
  useEffect(() => {
    // The page itself says so.
    if (isEnded) dismissToasts("warning");
  }, [isEnded]);
  const [challenge, setChallenge] = useState<string | null>(null);
  if (challenge !== null) {
    return (
      <AccountPage title="Sign In">
        <SecondFactorForm challenge={challenge} onAgain={() => setChallenge(null)} />
        <LostFactor />
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Sign In">
      {why && (
        <Notice tone="info">
          <p>{why}</p>
        </Notice>
      )}
      <CredentialsForm onChallenge={setChallenge} />
      <p className={styles.links}>
        <Link to={paths.forgotPassword}>Forgot your password?</Link>
        <Link to={paths.register + search}>Create an account</Link>
      </p>
    </AccountPage>
  );
}

function CredentialsForm({ onChallenge }: { onChallenge: (challenge: string) => void }) {
  const api = useApi();
  const session = useSiteSession();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ email, password }) {
      const { data } = await api.post<OpenedSession | Challenge>("/api/auth/login", {
        body: { email: email.trim(), password },
      });
      if (data && "challenge" in data) onChallenge(data.challenge);
      else openSession(session, data);
    },
    failed: ACCOUNT_FAILED.login,
  });
  return (
    <AccountForm form={form} submit="Sign In" sending="Signing in…">
      <TextField
        field={form.field("email")}
        label="Email"
        type="email"
        autoComplete="username"
        required
      />
      <PasswordField
        field={form.field("password")}
        label="Password"
        autoComplete="current-password"
        required
      />
    </AccountForm>
  );
}

/** The last resort after losing both the authenticator and the recovery codes. */
function LostFactor() {
  const { supportEmail } = useSiteConfig();
  return (
    <details className={styles.more}>
      <summary>Lost your device and codes?</summary>
      <p>
        Sign in with one of your recovery codes instead. If you've lost them too, write to{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from your account's email address.
        We'll verify your identity before we turn off two-factor authentication. Then we'll sign you
        out everywhere, and you can sign in with just your password. We'll email you when it's done.
      </p>
    </details>
  );
}

/** The second step of a sign-in: a code from the authenticator, or a recovery code. */
function SecondFactorForm(props: { challenge: string; onAgain: () => void }) {
  const { challenge, onAgain } = props;
  const api = useApi();
  const session = useSiteSession();
  const form = useAccountForm({
    initial: { code: "" },
    check: codeProblems,
    async send({ code }) {
      const body = { challenge, code: code.trim() };
      openSession(
        session,
        (await api.post<OpenedSession>("/api/auth/login/two-factor", { body })).data,
      );
    },
    failed: ACCOUNT_FAILED.login,
  });
  useFocusInside(form);
  return (
    <AccountForm
      form={form}
      submit="Sign In"
      sending="Signing in…"
      actions={
        <Button kind="secondary" onClick={onAgain}>
          Start again
        </Button>
      }
    >
      <CodeField
        field={form.field("code")}
        hint="Enter the code from your authenticator app, or a recovery code."
      />
    </AccountForm>
  );
}
