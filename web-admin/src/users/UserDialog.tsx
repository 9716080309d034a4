import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import type { ReactNode } from "react";
import type { UserCommands } from "./use-user-command.ts";

export interface UserDialogProps {
  readonly title: string;
  /** What happens. */
  readonly consequence: string;
  readonly confirm: string;
  readonly isGrave?: boolean;
  readonly commands: UserCommands;
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Says what a command about an account will do, and asks for what it needs. */
export function UserDialog(props: UserDialogProps) {
  const { title, consequence, confirm, isGrave, commands, children, onConfirm, onClose } = props;
  const { running, failure } = commands;
  return (
    <>
      <Dialog open onClose={running ? undefined : onClose} maxWidth="xs" fullWidth>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onConfirm();
          }}
        >
          <DialogTitle>{title}</DialogTitle>
          <DialogContent>
            <DialogContentText sx={{ mb: 2 }}>{consequence}</DialogContentText>
            <Box sx={{ display: "grid", gap: 2 }}>{children}</Box>
            {failure && (
              <Alert severity="error" sx={{ mt: 2, overflowWrap: "anywhere" }}>
                {failure.sentence}
                {failure.changes.length > 0 && (
                  <Box component="ul" sx={{ m: 0, mt: 1, pl: 2 }}>
                    {failure.changes.map((change) => (
                      <li key={change}>{change}</li>
                    ))}
                  </Box>
                )}
              </Alert>
            )}
          </DialogContent>
          <DialogActions sx={{ p: 2 }}>
            <Button onClick={onClose} disabled={running}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="contained"
              color={isGrave ? "warning" : "primary"}
              loading={running}
            >
              {confirm}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      {commands.proof}
    </>
  );
}
