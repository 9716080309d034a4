import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { given } from "#contracts/given.ts";
import { resolutionCommand } from "#contracts/http/resolution.ts";
import type { ResolutionAction } from "./resolution-actions.ts";

/** Says what a step will do, and asks for what it needs. */
export function ResolutionDialog(props: {
  readonly action: ResolutionAction;
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: (body: object) => void;
  readonly onClose: () => void;
}) {
  const { action, running, failure, onConfirm, onClose } = props;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState(false);
  const answers = Object.fromEntries(
    action.fields.map(({ name }) => [name, (values[name] ?? "").trim()]),
  );
  const isComplete = Object.values(answers).every((answer) => answer !== "");
  const schema = resolutionCommand(action.command).body.properties as Record<
    string,
    { maxLength?: number }
  >;
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (isComplete) onConfirm({ ...action.body, ...answers });
        }}
      >
        <DialogTitle>{action.title}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText>{action.consequence}</DialogContentText>
          {action.fields.map(({ name, label, choices, missing, isLong }, index) => (
            <TextField
              key={name}
              fullWidth
              required
              autoFocus={index === 0}
              {...(choices ? { select: true } : {})}
              {...(isLong ? { multiline: true, minRows: 3 } : {})}
              label={label}
              value={values[name] ?? ""}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              error={asked && !answers[name]}
              helperText={asked && !answers[name] ? missing : undefined}
              slotProps={{ htmlInput: given({ maxLength: schema[name]?.maxLength }) }}
            >
              {choices &&
                Object.entries(choices).map(([code, words]) => (
                  <MenuItem key={code} value={code}>
                    {words}
                  </MenuItem>
                ))}
            </TextField>
          ))}
          {failure && <Alert severity="error">{failure}</Alert>}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={action.isApart ? "warning" : "primary"}
            loading={running}
          >
            {action.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
