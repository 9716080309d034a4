import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import { Children, type FormEvent, type KeyboardEvent, type ReactNode } from "react";
import { given } from "#contracts/given.ts";

export interface FormDialogProps {
  readonly title: string;
  /** What happens. */
  readonly consequence: ReactNode;
  /** On the button that sends it. */
  readonly confirm: string;
  /** On the button that leaves everything as it is. */
  readonly cancel?: string;
  /** Another button that sends it, otherwise. */
  readonly another?: ReactNode;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  readonly running: boolean;
  /** Why it failed. */
  readonly failure: ReactNode;
  /** The dialog that asks for the password, where one may be asked for. */
  readonly proof?: ReactNode;
  /** Fields. Without any, the focus is on the button that sends it, or leaves it where that is final. */
  readonly children?: ReactNode;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClose: () => void;
}

/** Says what a decision does, and asks for what it needs. */
export function FormDialog(props: FormDialogProps) {
  const { title, consequence, confirm, cancel = "Cancel", isFinal = false, running } = props;
  const isPlain = Children.toArray(props.children).length === 0;
  return (
    <Dialog
      open
      onClose={running ? undefined : props.onClose}
      maxWidth="sm"
      fullWidth
      // As `undefined` it would take the place of the dialog's own, which closes it with Esc.
      {...given({ onKeyDown: props.onKeyDown })}
    >
      <form
        noValidate
        onKeyDown={sendByKey}
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit(event);
        }}
      >
        <DialogTitle sx={{ overflowWrap: "anywhere" }}>{title}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText sx={{ whiteSpace: "pre-line" }}>{consequence}</DialogContentText>
          {props.children}
          {props.failure && (
            <Alert severity="error" sx={{ overflowWrap: "anywhere" }}>
              {props.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={props.onClose} disabled={running} autoFocus={isPlain && isFinal}>
            {cancel}
          </Button>
          {props.another}
          <Button
            type="submit"
            variant="contained"
            color={isFinal ? "warning" : "primary"}
            loading={running}
            autoFocus={isPlain && !isFinal}
          >
            {confirm}
          </Button>
        </DialogActions>
      </form>
      {props.proof}
    </Dialog>
  );
}

/** Sends the form in which it is pressed: Ctrl+Enter, or Command+Enter, from a field of several lines too. */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
