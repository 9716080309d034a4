import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { KeyHint } from "../shared/parts.tsx";
import { useSecondsUntil } from "../shared/use-seconds-until.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";

/** Undoes the decision. Not U, which is "Put under review" on the same pages. */
const KEY = "Z";

interface UndoOfferProps {
  readonly done: string;
  /** Deadline for undoing, in milliseconds since the epoch. */
  readonly untilMs: number;
  /** Undoes the decision and notifies the user of the outcome. @returns whether it was undone. */
  readonly undo: () => Promise<boolean>;
}

/**
 * The notice of a decision, with a button to undo it while that is possible. Screen readers announce it once: the
 * countdown is not read out.
 */
export function UndoOffer({ done, untilMs, undo }: UndoOfferProps) {
  const seconds = useSecondsUntil(untilMs);
  const [isSent, setIsSent] = useState(false);
  const isOffered = seconds > 0;
  const send = () => {
    if (!isOffered || isSent) return;
    setIsSent(true);
    void undo().then(setIsSent);
  };
  const shortcuts = useShortcuts({ [KEY.toLowerCase()]: send });
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5 }}>
      {done}
      {isOffered && (
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          disabled={isSent}
          onClick={send}
          endIcon={shortcuts.enabled ? <KeyHint>{KEY}</KeyHint> : undefined}
          sx={{ minHeight: { xs: 44, md: 32 }, px: 1.5 }}
        >
          Undo
          <span aria-hidden>{`\u00a0(${seconds}\u00a0s)`}</span>
        </Button>
      )}
    </Box>
  );
}

const undone = new EventTarget();

/** Announces that a decision on a report was undone in this tab. */
export function announceUndone(reportId: string): void {
  undone.dispatchEvent(new CustomEvent("undone", { detail: reportId }));
}

/** Calls `listener` with the report ID of each undone decision. @returns a function to unsubscribe. */
export function onUndone(listener: (reportId: string) => void): () => void {
  const listen = (event: Event) => listener((event as CustomEvent<string>).detail);
  undone.addEventListener("undone", listen);
  return () => undone.removeEventListener("undone", listen);
}
