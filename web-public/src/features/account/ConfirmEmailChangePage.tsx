import { useState } from "react";
import { Link } from "react-router-dom";
import { ACCOUNT_DONE, ACCOUNT_FAILED } from "#contracts/account/account-words.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure, Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { takeFocus } from "../../lib/take-focus.ts";
import {
  keepTokens,
  type NewTokens,
  refreshAccount,
  useAccountClient,
  useStore,
} from "../../session/session-store-of.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { RequireAccount } from "./RequireAccount.tsx";
import { useLink } from "./use-link.ts";

/** Uses the link that was mailed to another address. Only the account's own session can. */
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
          You can ask for another link in your{" "}
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
