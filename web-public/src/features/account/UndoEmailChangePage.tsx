import { type Ref, useState } from "react";
import { Link } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { Failure, Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { takeFocus } from "../../lib/take-focus.ts";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./NewPasswordForm.tsx";
import { PasswordIsSet } from "./ResetPasswordPage.tsx";
import { useLink } from "./use-link.ts";

/** Gives an account its former address back, by the link that was mailed there. */
export function UndoEmailChangePage() {
  const api = useApi();
  const isReady = useAccount().state !== "unknown";
  const [undone, setUndone] = useState<{ readonly reset_token?: string } | null>(null);
  const [isSet, setSet] = useState(false);
  const link = useLink("We couldn't undo the change. Try again.", async (token) => {
    const path = "/api/auth/undo-email-change";
    const { data } = await api.post<{ reset_token?: string }>(path, { body: { token } });
    setUndone(data ?? {});
  });
  return (
    <AccountPage title="Take your account back">
      {isSet && <PasswordIsSet />}
      {undone && !isSet && (
        <>
          <h2 ref={takeFocus} tabIndex={-1}>
            Set a new password
          </h2>
          <Notice tone="success" role="status">
            <p>{ACCOUNT_DONE.emailUndone}</p>
          </Notice>
          <p>We've signed you out everywhere, and your old password no longer works.</p>
          {undone.reset_token ? (
            <NewPasswordForm token={undone.reset_token} onDone={() => setSet(true)} />
          ) : (
            <AskForPassword />
          )}
        </>
      )}
      {!undone && (
        <>
          <Failure text={link.failure} />
          {link.isOver ? (
            <AskForPassword ref={takeFocus} />
          ) : (
            <>
              <p>
                We'll change your account's email address back to the one this link was sent to, and
                sign you out everywhere. Then you set a new password.
              </p>
              <div className={styles.actions}>
                <Button disabled={!isReady} aria-disabled={link.isBusy} onClick={link.press}>
                  {link.isBusy ? "Undoing…" : "Undo the Change"}
                </Button>
              </div>
            </>
          )}
        </>
      )}
    </AccountPage>
  );
}

function AskForPassword({ ref }: { ref?: Ref<HTMLParagraphElement> }) {
  const { supportEmail } = useSiteConfig();
  return (
    <p ref={ref} tabIndex={-1}>
      If your account still has the email address this link was sent to,{" "}
      <Link to={paths.forgotPassword}>ask for a new password</Link>. If it doesn't, write to{" "}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from that address.
    </p>
  );
}
