import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useEffect, useRef, useState } from "react";
import { PROOF_MINUTES } from "#contracts/account/deadlines.ts";

export interface PasswordDialogProps {
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: (password: string) => void;
  readonly onClose: () => void;
}

/** Asks for the password of the person who is signed in. */
export function PasswordDialog({ running, failure, onConfirm, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState("");
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The button that was pressed lost the focus while the password was checked.
    if (!running) field.current?.focus();
  }, [running]);
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="xs" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(!password);
          if (password) onConfirm(password);
          else field.current?.focus();
        }}
      >
        <DialogTitle>Enter your password again</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            This step needs the password that you sign in with if you haven't entered it in the last{" "}
            {PROOF_MINUTES} minutes.
          </DialogContentText>
          <TextField
            fullWidth
            autoFocus
            required
            inputRef={field}
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            error={isMissing}
            helperText={isMissing ? "Enter your password" : undefined}
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
