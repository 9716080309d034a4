import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { KeyHint } from "../shared/parts.tsx";
import { useSecondsUntil } from "../shared/use-seconds-until.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";

/** Takes the decision back. U is "Put under review" on the same pages. */
const KEY = "Z";

interface UndoOfferProps {
  readonly done: string;
  /** Until when it can be undone, in milliseconds since the epoch. */
  readonly untilMs: number;
  /** Takes it back, and says how that went. @returns whether it was. */
  readonly undo: () => Promise<boolean>;
}

/**
 * The notice of a decision, with a button that takes it back while that is possible. A screen reader
 * says it once: the seconds that are left are not read out.
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
          sx={{ minHeight: { xs: 44, md: 32 } }}
        >
          Undo
          <span aria-hidden>{`\u00a0(${seconds}\u00a0s)`}</span>
        </Button>
      )}
    </Box>
  );
}

const undone = new EventTarget();

/** Says that a decision on a report was taken back in this tab. */
export function tellUndone(reportId: string): void {
  undone.dispatchEvent(new CustomEvent("undone", { detail: reportId }));
}

/** Calls `listener` with the report of each decision that is taken back. @returns what stops it. */
export function onUndone(listener: (reportId: string) => void): () => void {
  const listen = (event: Event) => listener((event as CustomEvent<string>).detail);
  undone.addEventListener("undone", listen);
  return () => undone.removeEventListener("undone", listen);
}
