import { useState } from "react";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { withdrawEmailChange } from "../../../api/email-change.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { accountClient } from "../../../session/account-client.ts";
import { refreshAccount, storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { sentenceOf } from "./settings-words.ts";

const FAILED = "We couldn't cancel the change. Please try again.";

/** Another address that waits for its confirmation, and a button that withdraws the request. */
export function WaitingAddress(props: {
  wanted: string;
  /** Whether the page has just said that a link was sent to it. */
  isSaid: boolean;
  onKept: () => void;
}) {
  const { wanted, isSaid, onKept } = props;
  const store = storeOf(useSiteSession());
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function withdraw() {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    try {
      await withdrawEmailChange(accountClient(store));
      await refreshAccount(store);
      showToast({ kind: "info", text: ACCOUNT_DONE.emailKept });
      onKept();
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
    } finally {
      setSending(false);
    }
  }

  return (
    <>
      {!isSaid && (
        <p>
          A new address is awaiting confirmation: <strong>{wanted}</strong>.
        </p>
      )}
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      <div>
        <Button kind="secondary" aria-disabled={isSending} onClick={() => void withdraw()}>
          Cancel the Change
        </Button>
      </div>
    </>
  );
}
