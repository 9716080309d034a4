import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { RESTORE } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { useReport } from "../record/use-report.ts";

/**
 * Brings a version of the report back, after asking. The history shows it as an edit. It is offered once it is
 * known that the report does not concern the moderator.
 */
export function RestoreVersion({ id, at }: { readonly id: string; readonly at: number }) {
  const [asks, setAsks] = useState(false);
  const navigate = useNavigate();
  const sender = useCommand(id);
  const { data: report } = useReport(id, true);
  const running = sender.running !== undefined;
  const close = () => {
    setAsks(false);
    sender.reset();
  };
  const restore = async () => {
    if (await sender.run(RESTORE, { revision: at })) navigate("?");
  };
  if (!report) return null;
  if (report.own) return <Typography color="textSecondary">{OWN_REPORT}</Typography>;
  return (
    <>
      <Button variant="outlined" onClick={() => setAsks(true)}>
        Restore this version…
      </Button>
      {asks && (
        <Dialog open onClose={running ? undefined : close} maxWidth="sm" fullWidth>
          <DialogTitle>Restore revision {at}?</DialogTitle>
          <DialogContent>
            <DialogContentText>
              The report says again what it said after revision {at}, on its public page too. Its
              status, the verification and the reporter's address stay as they are. What it says now
              stays in the history and can be restored as well.
            </DialogContentText>
            {sender.failure && (
              <Alert severity="error" sx={{ mt: 2 }}>
                {sender.failure}
              </Alert>
            )}
          </DialogContent>
          <DialogActions sx={{ p: 2 }}>
            <Button onClick={close} disabled={running}>
              Cancel
            </Button>
            <Button variant="contained" loading={running} onClick={() => void restore()}>
              Restore version
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
