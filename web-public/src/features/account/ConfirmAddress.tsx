import { useState } from "react";
import { ACCOUNT_LINK_HOURS } from "#contracts/account/deadlines.ts";
import { useAction } from "../../api/use-action.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { useAccountClient } from "../../session/session-store-of.ts";
import styles from "./AccountPage.module.css";

const FAILED = "We couldn't send the email. Please try again.";

/** Asks the user to confirm the account's address, and resends the email. */
export function ConfirmAddress({ email }: { email: string }) {
  const api = useAccountClient();
  const { isBusy, failure, run } = useAction(FAILED);
  const [sent, setSent] = useState<string | null>(null);
  const message = sent ?? failure;
  const send = () =>
    run(async () => {
      const { message } = await api.post("/api/auth/resend-verification", { body: {} });
      setSent(message ?? "We've sent another email.");
    });
  return (
    <Notice tone="warning">
      <h2>Confirm your address</h2>
      <div className={styles.confirm}>
        <p>
          We sent an email to <strong>{email}</strong>. Open the link in it within{" "}
          {ACCOUNT_LINK_HOURS} hours to confirm that the address is yours.
        </p>
        <div role="status">{message && <p>{message}</p>}</div>
        {sent === null && (
          <div className={styles.actions}>
            <Button kind="secondary" disabled={isBusy} onClick={() => void send()}>
              Resend the email
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}
