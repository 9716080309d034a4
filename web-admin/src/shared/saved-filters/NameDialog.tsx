import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { FILTER_NAME_LENGTH } from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";

export interface NameDialogProps {
  readonly title: string;
  readonly name?: string;
  /** The dialog closes when it resolves, and says what went wrong when it rejects. */
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for a filter's name. */
export function NameDialog({ title, name: before = "", onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(before);
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      await onSave(name.trim());
      onClose();
    } catch (caught) {
      setError(caught);
      setSaving(false);
    }
  };
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby="filter-name-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void save();
        }}
      >
        <DialogTitle id="filter-name-title">{title}</DialogTitle>
        <DialogContent>
          {error !== undefined && (
            <Alert severity="error" sx={{ mb: 2 }}>
              {messageOf(error, "The filter was not saved.")}
            </Alert>
          )}
          <TextField
            autoFocus
            fullWidth
            label="Name"
            value={name}
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { maxLength: FILTER_NAME_LENGTH } }}
            sx={{ mt: 1 }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={!name.trim() || isSaving}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
