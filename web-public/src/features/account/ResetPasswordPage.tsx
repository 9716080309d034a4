import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { takeFocus } from "../../lib/take-focus.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./NewPasswordForm.tsx";
import { ResetSteps } from "./ResetSteps.tsx";

/** The link of an email: the second and third step of a reset, or an invitation. */
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

/** Says that the password is set, and that one signs in with it. */
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
