import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";

/** A step that somebody confirms first. */
export interface Step {
  /** On the button that begins it. */
  readonly label: string;
  /** The question, about what is named. */
  readonly title: (name: string) => string;
  /** What follows. */
  readonly consequence: string;
  readonly confirm: string;
}

/** Says what a step does, and asks whether to do it. */
export function StepDialog(props: {
  readonly step: Step;
  /** Name of what the step is done to. */
  readonly name: string;
  readonly isFinal: boolean;
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { step, name, isFinal, running, failure, onConfirm, onClose } = props;
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>{step.title(name)}</DialogTitle>
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
