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
import type { CommandDialogProps } from "./CommandDialog.tsx";
import type { Question } from "./report-commands.ts";
import { useOffered } from "./use-offered-reasons.ts";

/**
 * Asks for a reason from a list, and for a text beside it. The keys 1 to 9 choose, and Enter confirms.
 */
export function ReasonDialog({
  command,
  asks,
  report,
  name,
  sender,
  onConfirm,
  onClose,
}: CommandDialogProps & { readonly asks: Question }) {
  const [code, setCode] = useState("");
  const [text, setText] = useState("");
  const [asked, setAsked] = useState(false);
  const textField = useRef<HTMLTextAreaElement>(null);
  const { choices = {}, text: more } = asks;
  const codes = useOffered(Object.keys(choices));
  if (!more) return null;
  const running = sender.running !== undefined;
  const wantsText = code === more.neededFor && !text.trim();
  const schema: { maxLength?: number } = moderation(command.name).body.properties[more.field] ?? {};

  function choose(chosen: string): void {
    setCode(chosen);
    if (chosen === more?.neededFor) textField.current?.focus();
  }
  function press(event: KeyboardEvent): void {
    if (event.target === textField.current || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const chosen = codes[Number(event.key) - 1];
    if (!chosen) return;
    event.preventDefault();
    choose(chosen);
  }
  return (
    <Dialog open onClose={running ? undefined : onClose} maxWidth="sm" fullWidth onKeyDown={press}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (!code || wantsText || running) return;
          onConfirm({ [asks.field]: code, ...(text.trim() ? { [more.field]: text.trim() } : {}) });
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
            {asked && !code && <FormHelperText>{asks.missing}</FormHelperText>}
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
