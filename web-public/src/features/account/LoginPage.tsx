import { Link, useLocation } from "react-router-dom";
import { ACCOUNT_FAILED } from "#contracts/account/account-words.ts";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { login } from "../../api/accounts.ts";
import { useApi } from "../../api/use-api.ts";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteSession } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { nextPage, whySignIn } from "./after-sign-in.ts";
import { openSession } from "./open-session.ts";
import { PasswordField } from "./PasswordField.tsx";
import { TextField } from "./TextField.tsx";
import { useAccountForm } from "./use-account-form.ts";
import { useGoOn } from "./use-go-on.ts";

const EMPTY = { email: "", password: "" };

function check({ email, password }: typeof EMPTY): Problems {
  const problems: Problems = {};
  if (!email.trim()) problems.email = "Email is required";
  else if (!isEmail(email.trim())) problems.email = EMAIL_SENTENCE;
  if (!password) problems.password = "Password is required";
  return problems;
}

/** The sign-in of site and console. Who is signed in goes on to where they were going. */
export function LoginPage() {
  const api = useApi();
  const session = useSiteSession();
  const { search } = useLocation();
  const why = whySignIn(search);
  useGoOn(nextPage(search));
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ email, password }) {
      openSession(session, await login(api, { email: email.trim(), password }));
    },
    failed: {
      refused: ACCOUNT_FAILED.login,
      unanswered: `${ACCOUNT_FAILED.login}. Check your connection and try again.`,
    },
  });
  return (
    <AccountPage title="Sign In">
      {why && (
        <Notice tone="info">
          <p>{why}</p>
        </Notice>
      )}
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
      <p className={styles.links}>
        <Link to={paths.forgotPassword}>Forgot your password?</Link>
        <Link to={paths.register + search}>Create an account</Link>
      </p>
    </AccountPage>
  );
}
