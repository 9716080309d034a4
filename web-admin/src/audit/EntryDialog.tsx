import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import { AUDITED_EVENT, type AuditEntry, type AuditedEvent } from "#contracts/http/audit.ts";
import { loadFailureText } from "../data/api-error.ts";
import { actionText } from "../shared/action-words.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { RetryAlert } from "../shared/RetryAlert.tsx";
import { useRead } from "../shared/use-read.ts";
import { EventFacts } from "./EventFacts.tsx";

export interface EntryDialogProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

/** The event behind an entry of the audit log, read from the log itself. */
export function EntryDialog({ entry, onClose }: EntryDialogProps) {
  const { data, error, isFetching, refetch } = useRead<AuditedEvent>(
    ["audited-event", entry.id],
    AUDITED_EVENT.replace(":id", encodeURIComponent(entry.id)),
  );
  return (
    <Dialog open fullWidth maxWidth="md" onClose={onClose} aria-labelledby="entry-title">
      <DialogTitle id="entry-title">{actionText(entry.action)}</DialogTitle>
      {/* It scrolls, so the keyboard must reach it. */}
      <DialogContent tabIndex={0}>
        {isFetching && (
          <Delayed>
            <LinearProgress aria-label="Loading the event" />
          </Delayed>
        )}
        {error && <RetryAlert onRetry={refetch}>{loadFailureText("the event", error)}</RetryAlert>}
        {data && <EventFacts event={data} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
