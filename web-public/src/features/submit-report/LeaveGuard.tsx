import { useEffect, useRef } from "react";
import { type Blocker, useBlocker } from "react-router-dom";
import { Button } from "../../components/Button.tsx";
import styles from "./LeaveGuard.module.css";

/** Asks before a filled form is left, because drafts hold personal data and are never stored. */
export function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
  return blocker.state === "blocked" ? <Question blocker={blocker} /> : null;
}

function Question({ blocker }: { blocker: Blocker & { state: "blocked" } }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="leave-title"
      onCancel={(event) => {
        event.preventDefault();
        blocker.reset();
      }}
    >
      <h2 id="leave-title">Leave without submitting?</h2>
      <p>What you have entered is not kept.</p>
      <div className={styles.actions}>
        <Button kind="secondary" onClick={() => blocker.proceed()}>
          Leave
        </Button>
        <Button onClick={() => blocker.reset()}>Stay on the form</Button>
      </div>
    </dialog>
  );
}
