import { useEffect, useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { ACCOUNT_DONE, ACCOUNT_FAILED } from "#contracts/account/account-words.ts";
import { confirmEmailChange } from "../../api/account-security.ts";
import { ApiError } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { accountClient } from "../../session/account-client.ts";
import { refreshAccount, storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { RequireAccount } from "./RequireAccount.tsx";
import { keepTokens } from "./settings/keep-tokens.ts";
import { sentenceOf } from "./settings/settings-words.ts";

type State =
  | { readonly name: "asks" | "sending" | "done" }
  | { readonly name: "refused"; readonly why: string; readonly isFinal: boolean };

/** Uses the link that was mailed to another address. Only the account's own session can. */
export function ConfirmEmailChangePage() {
  return (
    <AccountPage title="New email address">
      <RequireAccount waiting={<p>Loading your account…</p>}>
        {(user) => <Confirm key={user.id} email={user.email} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Confirm({ email }: { email: string }) {
  const { token = "" } = useParams();
  const store = storeOf(useSiteSession());
  const [state, setState] = useState<State>({ name: "asks" });
  const isOver = state.name === "refused" && state.isFinal;
  const done = useRef<HTMLHeadingElement>(null);
  const over = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (state.name === "done") done.current?.focus();
    // The button goes away.
    if (isOver) over.current?.focus();
  }, [state, isOver]);

  async function confirm() {
    if (state.name === "sending") return;
    setState({ name: "sending" });
    try {
      keepTokens(store, (await confirmEmailChange(accountClient(store), token)).data);
      await refreshAccount(store);
      setState({ name: "done" });
    } catch (error) {
      const why = sentenceOf(error, `${ACCOUNT_FAILED.email}. Please try again.`);
      const isFinal =
        error instanceof ApiError && ["link_invalid", "email_taken"].includes(error.code);
      setState({ name: "refused", why, isFinal });
    }
  }

  if (state.name === "done")
    return (
      <>
        <h2 ref={done} tabIndex={-1}>
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
      {state.name === "refused" && (
        <Notice tone="error" role="alert">
          <p>{state.why}</p>
        </Notice>
      )}
      <p>
        You are signed in as <strong>{email}</strong>.
        {!isOver &&
          " Use the address this link was sent to? You'll sign in with it from now on, and we'll sign you out everywhere else."}
      </p>
      {isOver ? (
        <p ref={over} tabIndex={-1}>
          You can ask for another link in your{" "}
          <Link to={paths.accountSettings}>account settings</Link>.
        </p>
      ) : (
        <div className={styles.actions}>
          <Button aria-disabled={state.name === "sending"} onClick={() => void confirm()}>
            {state.name === "sending" ? "Changing…" : "Use the New Address"}
          </Button>
        </div>
      )}
    </>
  );
}
