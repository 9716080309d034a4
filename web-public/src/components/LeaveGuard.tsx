import { useEffect } from "react";
import { type Blocker, useBlocker } from "react-router-dom";
import { Button } from "./Button.tsx";
import { Dialog, DialogActions } from "./Dialog.tsx";

/** Asks for confirmation before leaving a filled-in form, and says what would be lost. */
export function LeaveGuard(props: { active: boolean; title: string; lost?: string }) {
  const { active, title, lost = "What you've entered won't be saved." } = props;
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
  return blocker.state === "blocked" ? (
    <Question blocker={blocker} title={title} lost={lost} />
  ) : null;
}

function Question(props: { blocker: Blocker & { state: "blocked" }; title: string; lost: string }) {
  const { blocker, title, lost } = props;
  return (
    <Dialog title={title} onCancel={() => blocker.reset()}>
      <p>{lost}</p>
      <DialogActions>
        <Button onClick={() => blocker.reset()}>Stay on the form</Button>
        <Button kind="secondary" onClick={() => blocker.proceed()}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  );
}
