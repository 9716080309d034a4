import { useEffect, useRef } from "react";
import { type Blocker, useBlocker } from "react-router-dom";
import { Button } from "./Button.tsx";
import styles from "./LeaveGuard.module.css";

/** Asks before a filled form is left, because drafts hold personal data and are never stored. */
export function LeaveGuard({ active, title }: { active: boolean; title: string }) {
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
  return blocker.state === "blocked" ? <Question blocker={blocker} title={title} /> : null;
}

function Question(props: { blocker: Blocker & { state: "blocked" }; title: string }) {
  const { blocker, title } = props;
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
      <h2 id="leave-title">{title}</h2>
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
