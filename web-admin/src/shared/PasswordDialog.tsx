import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useState } from "react";

export interface PasswordDialogProps {
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: (password: string) => void;
  readonly onClose: () => void;
}

/** Asks for the password of whoever is signed in. */
export function PasswordDialog({ running, failure, onConfirm, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState("");
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="xs" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (password) onConfirm(password);
        }}
      >
        <DialogTitle>Enter your password again</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            You have not entered it for a while. What you are about to do needs it every fifteen
            minutes.
          </DialogContentText>
          <TextField
            fullWidth
            autoFocus
            required
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          {failure && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={running}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
