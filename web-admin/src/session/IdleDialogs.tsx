import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import { CONSOLE_BASE } from "../config/paths.ts";
import { Dialog } from "../shared/Dialog.tsx";
import { useSecondsUntil } from "../shared/use-seconds-until.ts";
import { ENDED } from "./console-auth-provider.ts";
import type { IdleState } from "./idle-session.ts";

interface IdleDialogsProps {
  readonly state: Exclude<IdleState, { kind: "used" }>;
  readonly onStay: () => void;
}

/** The warning before an idle session expires, and the notice once it has expired. */
export function IdleDialogs({ state, onStay }: IdleDialogsProps) {
  return state.kind === "warns" ? (
    <Warning untilMs={state.untilMs} onStay={onStay} />
  ) : (
    <SignedOut />
  );
}

function Warning({ untilMs, onStay }: { readonly untilMs: number; readonly onStay: () => void }) {
  const seconds = useSecondsUntil(untilMs);
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <Dialog
      title="Are you still there?"
      fullWidth={false}
      onClose={onStay}
      role="alertdialog"
      aria-describedby="idle-text"
      actions={
        <Button variant="contained" autoFocus onClick={onStay}>
          Stay signed in
        </Button>
      }
    >
      <DialogContentText id="idle-text">
        You've been inactive for a while, so you'll be signed out soon. Anything you've typed will
        be kept.
      </DialogContentText>
      <DialogContentText aria-hidden>{left} left</DialogContentText>
    </Dialog>
  );
}

/** Links have no autoFocus. */
const takeFocus = (link: HTMLElement | null) => link?.focus();

/** Hides the page, so that people passing by can't read it. */
function SignedOut() {
  const query = new URLSearchParams({ next: CONSOLE_BASE, [ENDED]: "" });
  return (
    <Dialog
      title="You were signed out"
      fullWidth={false}
      role="alertdialog"
      aria-describedby="idle-text"
      slotProps={{ backdrop: { sx: { bgcolor: "background.default" } } }}
      actions={
        <Button
          variant="contained"
          ref={takeFocus}
          component="a"
          href={`/login?${query}`}
          target="_blank"
          rel="noopener"
        >
          Sign in in a new tab
        </Button>
      }
    >
      <DialogContentText id="idle-text">
        You were inactive for too long. Sign in using a new tab, then come back here to continue.
        Anything you've typed is still on this page.
      </DialogContentText>
    </Dialog>
  );
}
