import { type Ref, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { ACCOUNT_DONE, ACCOUNT_FAILED } from "#contracts/account/account-messages.ts";
import { ApiError } from "../../api/client.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure, Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { takeFocus } from "../../lib/take-focus.ts";
import {
  keepTokens,
  type NewTokens,
  refreshAccount,
  useAccountClient,
  useStore,
} from "../../session/session-store-of.ts";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./PasswordFields.tsx";
import { RequireAccount } from "./RequireAccount.tsx";
import { PasswordIsSet } from "./ResetPasswordPage.tsx";

/**
 * Uses an emailed link when a button is pressed.
 * @param failed message if the server gives none.
 */
function useLink(failed: string, use: (token: string) => Promise<void>) {
  const { token = "" } = useParams();
  const { isBusy, failure, run } = useAction(failed);
  const [isOver, setOver] = useState(false);
  const press = () =>
    run(() =>
      use(token).catch((error: unknown) => {
        const code = error instanceof ApiError ? error.code : "";
        setOver(code === "link_invalid" || code === "email_taken");
        throw error;
      }),
    );
  return {
    isBusy,
    failure,
    /** Whether the link is permanently invalid. */
    isOver,
    press: () => void press(),
  };
}

/** Uses the link that was emailed to a new address. Works only in the account's own session. */
export function ConfirmEmailChangePage() {
  return (
    <AccountPage title="New email address">
      <RequireAccount>{(user) => <Confirm key={user.id} email={user.email} />}</RequireAccount>
    </AccountPage>
  );
}

function Confirm({ email }: { email: string }) {
  const store = useStore();
  const api = useAccountClient();
  const [isDone, setDone] = useState(false);
  const link = useLink(`${ACCOUNT_FAILED.email}. Please try again.`, async (token) => {
    const body = { token };
    keepTokens(store, (await api.post<NewTokens>("/api/auth/confirm-email-change", { body })).data);
    await refreshAccount(store);
    setDone(true);
  });
  if (isDone)
    return (
      <>
        <h2 ref={takeFocus} tabIndex={-1}>
          Your email address has changed
        </h2>
        <Notice tone="success" role="status">
          <p>{ACCOUNT_DONE.emailChanged}</p>
        </Notice>
        <p>
          From now on, sign in with <strong>{email}</strong>. We've signed you out everywhere else.
        </p>
        <div className={styles.actions}>
          <ButtonLink to={paths.accountSettings}>Go to Account Settings</ButtonLink>
        </div>
      </>
    );
  return (
    <>
      <Failure text={link.failure} />
      <p>
        You are signed in as <strong>{email}</strong>.
        {!link.isOver &&
          " Use the address this link was sent to? You'll sign in with it from now on, and we'll sign you out everywhere else."}
      </p>
      {link.isOver ? (
        <p ref={takeFocus} tabIndex={-1}>
          You can request a new link in your{" "}
          <Link to={paths.accountSettings}>account settings</Link>.
        </p>
      ) : (
        <div className={styles.actions}>
          <Button aria-disabled={link.isBusy} onClick={link.press}>
            {link.isBusy ? "Changing…" : "Use the New Address"}
          </Button>
        </div>
      )}
    </>
  );
}

/** Makes this browser known to an account that is protected against password guessing. Signs no one in. */
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
            There were too many failed attempts to sign in to your account from devices we don't
            recognize. To sign in on this device, select the button, then enter your email and
            password. This link works once.
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

/** Restores an account's previous address with the link that was emailed there. */
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
    <AccountPage title="Recover your account">
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
                sign you out everywhere. Then you'll set a new password.
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
      <Link to={paths.forgotPassword}>reset your password</Link>. If it doesn't, write to{" "}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from that address.
    </p>
  );
}
