import { useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../components/Button.tsx";
import styles from "./SecurityVerification.module.css";

/** Asks a visitor who searches a lot to confirm that they are human. */
export function SecurityVerification({ onAnswer }: { onAnswer: (confirmed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [ticked, setTicked] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    // Gives the focus back to where it was.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={`${id}title`}
      onCancel={(event) => {
        event.preventDefault();
        onAnswer(false);
      }}
    >
      <h2 id={`${id}title`}>Security Verification</h2>
      <p>
        You've made several searches in a short time. Please confirm that you're searching by hand.
      </p>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={ticked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
        <span>I confirm that this is legitimate manual use and not an automated search.</span>
      </label>
      <div className={styles.actions}>
        <Button kind="quiet" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button disabled={!ticked} onClick={() => onAnswer(true)}>
          Verify &amp; Continue
        </Button>
      </div>
    </dialog>
  );
}
