import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import type { Step } from "./text-words.ts";

/** Says what a step does, and asks whether to do it. */
export function StepDialog(props: {
  readonly step: Step;
  /** Title of the text. */
  readonly text: string;
  readonly isFinal: boolean;
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { step, text, isFinal, running, failure, onConfirm, onClose } = props;
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>{step.title(text)}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <DialogContentText>{step.consequence}</DialogContentText>
        {failure && <Alert severity="error">{failure}</Alert>}
      </DialogContent>
      <DialogActions sx={{ p: 2 }}>
        <Button onClick={onClose} disabled={running} autoFocus>
          Cancel
        </Button>
        <Button
          variant="contained"
          color={isFinal ? "warning" : "primary"}
          loading={running}
          onClick={onConfirm}
        >
          {step.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
