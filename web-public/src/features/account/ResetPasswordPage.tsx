import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./NewPasswordForm.tsx";
import { ResetSteps } from "./ResetSteps.tsx";

/** The second and the third step of a reset, by the link of a mail. */
export function ResetPasswordPage() {
  const { token = "" } = useParams();
  const [isDone, setDone] = useState(false);
  return (
    <AccountPage title="Reset your password">
      <ResetSteps current={isDone ? 2 : 1} />
      {isDone ? <PasswordIsSet /> : <NewPasswordForm token={token} onDone={() => setDone(true)} />}
    </AccountPage>
  );
}

/** Says that the password is set, and that one signs in with it. */
export function PasswordIsSet() {
  const message = useRef<HTMLHeadingElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <>
      <h2 ref={message} tabIndex={-1}>
        Your password is set
      </h2>
      <Notice tone="success" role="status">
        <p>{ACCOUNT_DONE.reset}</p>
      </Notice>
      <p>All sessions of the account have ended. Sign in with the new password.</p>
      <div className={styles.actions}>
        <ButtonLink to={paths.login}>Go to Login</ButtonLink>
      </div>
    </>
  );
}
