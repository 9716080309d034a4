import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useState } from "react";

/** Maximum length of the reason, in characters. */
export const REASON_MAX = 1000;

export interface RejectDialogProps {
  readonly name: string;
  /** Whether the report is public now, so that a rejection removes it from the site. */
  readonly isPublic: boolean;
  readonly running: boolean;
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly onReject: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks for the reason that a rejection needs. */
export function RejectDialog({
  name,
  isPublic,
  running,
  problem,
  onReject,
  onClose,
}: RejectDialogProps) {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const missing = asked && !reason.trim();
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (reason.trim()) onReject(reason.trim());
        }}
      >
        <DialogTitle>Reject the report about {name}?</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            {isPublic
              ? "The report leaves the site and the search, and the reporter is told by email."
              : "The report will not be published, and the reporter is told by email."}{" "}
            It can still be approved later.
          </DialogContentText>
          <TextField
            fullWidth
            multiline
            minRows={3}
            autoFocus
            required
            label="Reason"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            error={missing}
            helperText={
              missing
                ? "A rejection needs a reason"
                : `${reason.length} of ${REASON_MAX} characters`
            }
            slotProps={{ htmlInput: { maxLength: REASON_MAX } }}
          />
          {problem && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={running}>
            Reject report
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
