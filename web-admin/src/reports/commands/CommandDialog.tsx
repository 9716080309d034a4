import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useRef, useState } from "react";
import { given } from "#contracts/given.ts";
import { moderation } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { sendByKey } from "../../shared/send-by-key.ts";
import { useDraft } from "../../shared/use-draft.ts";
import { useSettings } from "../../shared/use-settings.ts";
import { ReasonDialog } from "./ReasonDialog.tsx";
import type { PageCommand } from "./report-commands.ts";
import type { CommandSender } from "./use-command.ts";

export interface CommandDialogProps {
  /** A command with a question. */
  readonly command: PageCommand;
  readonly report: AdminReport;
  /** Whose report it is. */
  readonly name: string;
  readonly sender: CommandSender;
  /** Whether the key of a choice may send it too. */
  readonly hasKeys?: boolean;
  /** @param answer the part of the command's body that was asked for. */
  readonly onConfirm: (answer: object) => void;
  readonly onClose: () => void;
}

/** Says what a command will do, and asks for what it needs. */
export function CommandDialog(props: CommandDialogProps) {
  const { command, report, name, sender, onConfirm, onClose } = props;
  const draft = useDraft(`${report.id} ${command.label}`);
  const choice = useState("");
  const [value, setValue] = command.asks?.choices ? choice : draft;
  const [asked, setAsked] = useState(false);
  const input = useRef<HTMLElement>(null);
  const { data: settings } = useSettings();
  if (!command.asks) return null;
  if (command.asks.text) return <ReasonDialog {...props} asks={command.asks} />;
  const { field, label, choices, hint, missing, title, consequence, ...words } = command.asks;
  const running = sender.running !== undefined;
  const answer = value.trim();
  const isMissing = asked && !answer;
  const schema: { maxLength?: number } = moderation(command.name).body.properties[field] ?? {};
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth={choices ? "xs" : "sm"} fullWidth>
      <form
        noValidate
        onKeyDown={sendByKey}
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (answer) onConfirm({ [field]: answer });
          else input.current?.focus();
        }}
      >
        <DialogTitle>{title(name)}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            {consequence(report, settings?.eraseHours)}
          </DialogContentText>
          <TextField
            fullWidth
            autoFocus
            inputRef={input}
            {...(choices ? { select: true } : { multiline: true, minRows: 3, required: true })}
            label={label}
            value={value}
            onChange={(event) => setValue(event.target.value)}
            error={isMissing}
            helperText={
              isMissing
                ? missing
                : (hint?.(value) ?? `${value.length} of ${schema.maxLength} characters`)
            }
            slotProps={{ htmlInput: given({ maxLength: schema.maxLength }) }}
          >
            {choices &&
              Object.entries(choices).map(([code, words]) => (
                <MenuItem key={code} value={code}>
                  {words}
                </MenuItem>
              ))}
          </TextField>
          {sender.failure && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {sender.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={command.isApart ? "warning" : "primary"}
            loading={running}
          >
            {words.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
