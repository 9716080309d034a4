import { useRef } from "react";
import { Link, useLoaderData, useLocation } from "react-router-dom";
import { ACCOUNT_FAILED } from "#contracts/account/account-messages.ts";
import { registrationProblems, tidyAccount } from "#contracts/account/account-rules.ts";
import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { Register } from "#contracts/http/account.ts";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { paths } from "../../config/paths.ts";
import { useKeyFor } from "../../lib/use-key-for.ts";
import { useSiteSession } from "../../session/site-session.ts";
import type { TermsData } from "../content/terms.loader.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { nextPage } from "./after-sign-in.ts";
import { type OpenedSession, openSession, useGoOn } from "./open-session.ts";
import { NewPasswordFields } from "./PasswordFields.tsx";
import { ProfileField } from "./ProfilePage.tsx";
import { TextField } from "./TextField.tsx";
import { useAccountForm } from "./use-account-form.ts";

const EMPTY = {
  first_name: "",
  last_name: "",
  email: "",
  phone: "",
  company_name: "",
  website: "",
  password: "",
  confirmPassword: "",
};

/** Creates an account and signs in immediately; an email confirms its address. */
export function RegisterPage() {
  const api = useApi();
  const session = useSiteSession();
  const { search } = useLocation();
  useGoOn(nextPage(search));
  const keyFor = useKeyFor();
  const terms = useRef(useLoaderData<TermsData>().termsVersion);
  const form = useAccountForm({
    initial: EMPTY,
    check: (values) => registrationProblems(tidyAccount(values)),
    async send(values) {
      // The form's own check ensures that it matches the schema.
      const account = tidyAccount({
        ...values,
        terms_version: terms.current,
      }) as unknown as Register;
      try {
        const { data } = await api.post<OpenedSession>("/api/auth/register", {
          body: account,
          idempotencyKey: keyFor(account),
        });
        openSession(session, data);
      } catch (error) {
        // Pressing the button again, after this error, accepts the terms in force.
        if (error instanceof ApiError && error.code === "terms_outdated") terms.current = "";
        throw error;
      }
    },
    failed: ACCOUNT_FAILED.register,
  });
  const signIn = paths.login + search;
  return (
    <AccountPage title="Create Account">
      <p>
        Keep all your reports in one place. You don't need an account to search or read reports.
      </p>
      <AccountForm
        form={form}
        submit="Create Account"
        sending="Creating your account…"
        help={{
          terms_outdated: (
            <p className={styles.links}>
              <Link to={paths.terms} target="_blank">
                Read the Terms of Service
              </Link>
            </p>
          ),
          email_taken: (
            <p className={styles.links}>
              <Link to={signIn}>Sign in</Link>
              <Link to={paths.forgotPassword}>Reset your password</Link>
            </p>
          ),
        }}
      >
        <div className={styles.pair}>
          <ProfileField row={PROFILE_FIELDS.first_name} field={form.field("first_name")} />
          <ProfileField row={PROFILE_FIELDS.last_name} field={form.field("last_name")} />
        </div>
        <TextField
          field={form.field("email")}
          label="Email"
          type="email"
          autoComplete="username"
          hint="We'll email you to confirm it."
          required
        />
        <ProfileField row={PROFILE_FIELDS.phone} field={form.field("phone")} type="tel" />
        <ProfileField row={PROFILE_FIELDS.company} field={form.field("company_name")} />
        <ProfileField row={PROFILE_FIELDS.website} field={form.field("website")} type="url" />
        <NewPasswordFields form={form} whose="user" />
        <p>
          By creating an account you accept the{" "}
          <Link to={paths.terms} target="_blank">
            Terms of Service
          </Link>
          .
        </p>
      </AccountForm>
      <p className={styles.links}>
        <Link to={signIn}>Sign in instead</Link>
      </p>
    </AccountPage>
  );
}
