import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import { type KeyboardEvent, useRef, useState } from "react";
import { given } from "#contracts/given.ts";
import { moderation } from "#contracts/http/moderation.ts";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { sendByKey } from "../../shared/send-by-key.ts";
import { useDraft } from "../../shared/use-draft.ts";
import type { CommandDialogProps } from "./CommandDialog.tsx";
import { isOpen } from "./is-open.ts";
import type { Question } from "./report-commands.ts";
import { useOffered } from "./use-offered-reasons.ts";

/**
 * Asks for a reason from a list, and for a text beside it. The keys 1 to 9 choose. Where keys are on and the decision
 * can be undone they send it too, unless the reason needs a text.
 */
export function ReasonDialog({
  command,
  asks,
  report,
  name,
  sender,
  hasKeys,
  onConfirm,
  onClose,
}: CommandDialogProps & { readonly asks: Question }) {
  const [code, setCode] = useState("");
  const [text, setText] = useDraft(`${report.id} ${command.label}`);
  const [asked, setAsked] = useState(false);
  const textField = useRef<HTMLTextAreaElement>(null);
  const { choices = {}, text: more } = asks;
  const codes = useOffered(Object.keys(choices));
  if (!more) return null;
  const running = sender.running !== undefined;
  const isSentByKey = hasKeys && isOpen(report.status);
  const wantsText = code === more.neededFor && !text.trim();
  const schema: { maxLength?: number } = moderation(command.name).body.properties[more.field] ?? {};

  function send(chosen: string): void {
    setAsked(true);
    if (!chosen || running || !more) return;
    if (chosen === more.neededFor && !text.trim()) return void textField.current?.focus();
    onConfirm({ [asks.field]: chosen, ...(text.trim() ? { [more.field]: text.trim() } : {}) });
  }
  function press(event: KeyboardEvent): void {
    if (event.target === textField.current || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const chosen = codes[Number(event.key) - 1];
    if (!chosen) return;
    event.preventDefault();
    setCode(chosen);
    if (chosen === more?.neededFor) textField.current?.focus();
    else if (isSentByKey) send(chosen);
  }
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth onKeyDown={press}>
      <form
        noValidate
        onKeyDown={sendByKey}
        onSubmit={(event) => {
          event.preventDefault();
          send(code);
        }}
      >
        <DialogTitle>{asks.title(name)}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            {asks.consequence(report, undefined)}
          </DialogContentText>
          <FormControl error={asked && !code} sx={{ mb: 2, width: "100%" }}>
            <FormLabel id="reason-label">{asks.label}</FormLabel>
            <RadioGroup
              aria-labelledby="reason-label"
              value={code}
              onChange={(_event, chosen) => setCode(chosen)}
              sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}
            >
              {codes.map((each, index) => (
                <FormControlLabel
                  key={each}
                  value={each}
                  control={<Radio autoFocus={index === 0} />}
                  label={
                    <>
                      <KeyHint>{String(index + 1)}</KeyHint> {choices[each]}
                    </>
                  }
                />
              ))}
            </RadioGroup>
            <FormHelperText>
              {asked && !code
                ? asks.missing
                : isSentByKey && "A number sends immediately. You can undo it for 60 seconds."}
            </FormHelperText>
          </FormControl>
          <TextField
            fullWidth
            multiline
            minRows={2}
            inputRef={textField}
            label={more.label}
            required={code === more.neededFor}
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={asked && wantsText}
            helperText={
              asked && wantsText ? more.missing : `${text.length} of ${schema.maxLength} characters`
            }
            slotProps={{ htmlInput: given({ maxLength: schema.maxLength }) }}
          />
          {sender.failure && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {sender.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={running}>
            {asks.cancel}
          </Button>
          <Button type="submit" variant="contained" loading={running}>
            {asks.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
