import { useState } from "react";
import { ACCOUNT_LINK_HOURS } from "#contracts/account/deadlines.ts";
import { resendConfirmation } from "../../api/accounts.ts";
import { ApiError } from "../../api/client.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";

const FAILED = "We couldn't send the email. Please try again.";

/** Asks to confirm the account's address, and sends the mail again. */
export function ConfirmAddress({ email }: { email: string }) {
  const store = storeOf(useSiteSession());
  const [state, setState] = useState<"waits" | "sending" | "sent">("waits");
  const [message, setMessage] = useState("");
  async function send() {
    setState("sending");
    try {
      const reply = await resendConfirmation(accountClient(store));
      setMessage(reply.message ?? "We've sent another email.");
      setState("sent");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setMessage(error.explanation ?? FAILED);
      setState("waits");
    }
  }
  return (
    <Notice tone="warning">
      <h2>Confirm your address</h2>
      <div className={styles.confirm}>
        <p>
          We sent an email to <strong>{email}</strong>. Open the link in it within{" "}
          {ACCOUNT_LINK_HOURS} hours to confirm that the address is yours.
        </p>
        <div role="status">{message && <p>{message}</p>}</div>
        {state !== "sent" && (
          <div className={styles.actions}>
            <Button kind="secondary" disabled={state === "sending"} onClick={() => void send()}>
              Resend the email
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}
