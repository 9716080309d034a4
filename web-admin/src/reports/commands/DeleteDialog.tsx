import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { DELETION_REASONS, type DeletionReason } from "#contracts/report/words.ts";

export interface DeleteDialogProps {
  /** Name of the reported person. */
  readonly name: string;
  readonly running: boolean;
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly onDelete: (reason: DeletionReason) => void;
  readonly onClose: () => void;
}

/** Asks for a confirmation, explains what a deletion means, and requires a reason. */
export function DeleteDialog({ name, running, problem, onDelete, onClose }: DeleteDialogProps) {
  const [reason, setReason] = useState<DeletionReason | "">("");
  const [asked, setAsked] = useState(false);
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="xs" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (reason) onDelete(reason);
        }}
      >
        <DialogTitle>Delete the report about {name}?</DialogTitle>
        <DialogContent>
          <DialogContentText component="div" sx={{ mb: 2 }}>
            The report leaves the site, the search and every list, and what it says about the person
            and the reporter is destroyed for good. Its history stays, without names. This cannot be
            undone.
          </DialogContentText>
          <TextField
            select
            fullWidth
            autoFocus
            label="Reason for the deletion"
            value={reason}
            onChange={(event) => setReason(event.target.value as DeletionReason)}
            error={asked && !reason}
            helperText={asked && !reason ? "Choose a reason" : "Kept in the history"}
          >
            {Object.entries(DELETION_REASONS).map(([code, label]) => (
              <MenuItem key={code} value={code}>
                {label}
              </MenuItem>
            ))}
          </TextField>
          {problem && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            Keep the report
          </Button>
          <Button type="submit" variant="contained" color="warning" loading={running}>
            Delete for good
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
