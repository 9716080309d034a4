import { useState } from "react";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { deleteAccount } from "../../../api/account-security.ts";
import { Button } from "../../../components/Button.tsx";
import { Dialog, DialogActions } from "../../../components/Dialog.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { useProof } from "../use-proof.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { sentenceOf } from "./settings-words.ts";

const FAILED = "Your account could not be deleted. Please try again.";

/** Deletes the account, after a question that says what goes and what stays. */
export function DeleteAccount() {
  const store = storeOf(useSiteSession());
  const proof = useProof();
  const [isAsking, setAsking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function remove() {
    setAsking(false);
    setDeleting(true);
    setFailure(null);
    try {
      if (!(await proof.run(() => deleteAccount(accountClient(store))))) return;
      store.clear();
      showToast({ kind: "info", text: ACCOUNT_DONE.deleted });
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
    } finally {
      setDeleting(false);
    }
  }

  return (
    <SettingsSection title="Delete Account">
      <p>Erases your profile and ends all sessions. Your reports stay, without your name.</p>
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      <div>
        <Button kind="secondary" aria-disabled={isDeleting} onClick={() => setAsking(true)}>
          Delete Account
        </Button>
      </div>
      {isAsking && (
        <Dialog title="Delete your account?" onCancel={() => setAsking(false)}>
          <p>
            You are signed out everywhere at once. Within two hours your name, address and all that
            your profile says are erased for good. Reports that you sent stay, without your name and
            address, and you can no longer see what became of them. Nobody can undo this. Only if
            your email address was changed within the last week can the former address undo it: then
            all is erased at the end of that week.
          </p>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Keep My Account</Button>
            <Button kind="secondary" onClick={() => void remove()}>
              Delete Account
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {proof.dialog}
    </SettingsSection>
  );
}
