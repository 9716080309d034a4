import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import { useEvidence } from "./use-evidence.tsx";

/** Asks before a published picture is taken away for good. */
export function HideDialog({
  reportId,
  copy,
  onClose,
}: {
  readonly reportId: string;
  readonly copy: ReportFile["copies"][number];
  readonly onClose: () => void;
}) {
  const evidence = useEvidence(reportId);
  const [reason, setReason] = useState("");
  const hide = async () => {
    if (await evidence.hide(copy.copy_id, reason.trim() || undefined)) onClose();
  };
  return (
    <Dialog open onClose={evidence.running ? undefined : onClose} maxWidth="sm" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void hide();
        }}
      >
        <DialogTitle>Hide the published picture?</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            Nobody can see it any more, at once and for good. The file stays: it can be published
            again as another picture.
          </DialogContentText>
          <TextField
            fullWidth
            autoFocus
            multiline
            minRows={2}
            label="Reason, for the history"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
          />
          {evidence.failure && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {evidence.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={evidence.running}>
            Keep it
          </Button>
          <Button type="submit" variant="contained" color="warning" loading={evidence.running}>
            Hide picture
          </Button>
        </DialogActions>
      </form>
      {evidence.dialog}
    </Dialog>
  );
}
