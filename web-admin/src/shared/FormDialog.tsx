import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import type { ReactNode } from "react";

export interface FormDialogProps {
  readonly title: string;
  /** What happens. */
  readonly consequence: ReactNode;
  /** On the button that sends it. */
  readonly confirm: string;
  /** On the button that leaves everything as it is. */
  readonly cancel?: string;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  readonly running: boolean;
  /** Why it failed. */
  readonly failure: string | undefined;
  /** The dialog that asks for the password, where one may be asked for. */
  readonly proof?: ReactNode;
  /** Fields. */
  readonly children?: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** Says what a decision does, and asks for what it needs. */
export function FormDialog(props: FormDialogProps) {
  const { title, consequence, confirm, cancel = "Cancel", isFinal, running, failure } = props;
  return (
    <Dialog open onClose={running ? undefined : props.onClose} maxWidth="sm" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        <DialogTitle sx={{ overflowWrap: "anywhere" }}>{title}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText>{consequence}</DialogContentText>
          {props.children}
          {failure && <Alert severity="error">{failure}</Alert>}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={props.onClose} disabled={running}>
            {cancel}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={isFinal ? "warning" : "primary"}
            loading={running}
          >
            {confirm}
          </Button>
        </DialogActions>
      </form>
      {props.proof}
    </Dialog>
  );
}
