import { useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure, Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { takeFocus } from "../../lib/take-focus.ts";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { useLink } from "./use-link.ts";

/** Makes this browser known to an account that is guarded from guesses. It signs nobody in. */
export function SignInLinkPage() {
  const api = useApi();
  const isReady = useAccount().state !== "unknown";
  const [isOpen, setOpen] = useState(false);
  const link = useLink("We couldn't open this link. Try again.", async (token) => {
    await api.post(`/api/auth/sign-in-link/${encodeURIComponent(token)}`, { body: {} });
    setOpen(true);
  });
  return (
    <AccountPage title="Sign in on this device">
      <Failure text={link.failure} />
      {isOpen && (
        <Notice tone="success" role="status">
          <p>Your account now recognizes this device.</p>
        </Notice>
      )}
      {isOpen || link.isOver ? (
        <>
          <p ref={takeFocus} tabIndex={-1}>
            {isOpen
              ? "Sign in with your email address and password."
              : "If this device needs a new link, we'll email you one when you sign in."}
          </p>
          <div className={styles.actions}>
            <ButtonLink to={paths.login}>Go to Login</ButtonLink>
          </div>
        </>
      ) : (
        <>
          <p>
            Too many passwords were tried for your account from devices we don't recognize. If you
            want to sign in on this device, select the button, then sign in with your password. The
            link works once.
          </p>
          <div className={styles.actions}>
            <Button disabled={!isReady} aria-disabled={link.isBusy} onClick={link.press}>
              {link.isBusy ? "Opening…" : "Use This Device"}
            </Button>
          </div>
        </>
      )}
    </AccountPage>
  );
}
