import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import { type KeyboardEvent, useRef, useState } from "react";
import { given } from "#contracts/given.ts";
import { moderation } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { FormDialog } from "../../shared/FormDialog.tsx";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { useDraft } from "../../shared/use-draft.ts";
import { useOffered, useSettings } from "../../shared/use-settings.ts";
import type { PageCommand, Question } from "./report-commands.ts";
import type { CommandSender } from "./use-command.ts";

export interface CommandDialogProps {
  /** One with a question. */
  readonly command: PageCommand;
  readonly report: AdminReport;
  /** Whose report it is. */
  readonly name: string;
  readonly sender: CommandSender;
  /** Whether the key of a reason may send it too. */
  readonly hasKeys?: boolean;
  /** @param answer the part of the command's body that was asked for. */
  readonly onConfirm: (answer: object) => void;
  readonly onClose: () => void;
}

/**
 * Says what a command will do, and asks for what it needs. The keys 1 to 9 choose a reason. Where keys are on
 * they send it too, unless the reason needs a text.
 */
export function CommandDialog(props: CommandDialogProps) {
  const { command, report, name, sender, hasKeys = false, onConfirm, onClose } = props;
  const { choice, text, title, consequence, confirm, cancel } = command.asks as Question;
  const [code, setCode] = useState("");
  const [typed, setTyped] = useDraft(`${report.id} ${command.label}`);
  const [asked, setAsked] = useState(false);
  const textField = useRef<HTMLTextAreaElement>(null);
  const { data: settings } = useSettings();
  const reasons = useOffered(Object.keys(choice?.options ?? {}));
  const running = sender.running !== undefined;
  const isMissing = (chosen = code) =>
    text !== undefined && (!text.neededFor || text.neededFor === chosen) && !typed.trim();
  const longest = (field: string) => {
    const schema: { maxLength?: number } = moderation(command.name).body.properties[field] ?? {};
    return schema.maxLength;
  };

  function send(chosen = code): void {
    setAsked(true);
    if (running || (choice && !chosen)) return;
    if (isMissing(chosen)) return void textField.current?.focus();
    onConfirm({
      ...(choice ? { [choice.field]: chosen } : {}),
      ...(text && typed.trim() ? { [text.field]: typed.trim() } : {}),
    });
  }
  function press(event: KeyboardEvent): void {
    const isTyping = event.target === textField.current;
    if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = text && reasons[Number(event.key) - 1];
    if (!chosen) return;
    event.preventDefault();
    setCode(chosen);
    if (chosen === text.neededFor) textField.current?.focus();
    else if (hasKeys) send(chosen);
  }
  const isChoiceMissing = asked && !code;
  return (
    <FormDialog
      title={title(name)}
      consequence={consequence(report, settings?.eraseHours)}
      confirm={confirm}
      cancel={cancel}
      isFinal={command.isApart ?? false}
      running={running}
      failure={sender.failure}
      onKeyDown={press}
      onSubmit={() => send()}
      onClose={onClose}
    >
      {choice && text && (
        <FormControl error={isChoiceMissing}>
          <FormLabel id="reason-label">{choice.label}</FormLabel>
          <RadioGroup
            aria-labelledby="reason-label"
            value={code}
            onChange={(_event, chosen) => setCode(chosen)}
            sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}
          >
            {reasons.map((each, index) => (
              <FormControlLabel
                key={each}
                value={each}
                control={<Radio autoFocus={index === 0} />}
                label={
                  <>
                    <KeyHint>{String(index + 1)}</KeyHint> {choice.options[each]}
                  </>
                }
              />
            ))}
          </RadioGroup>
          <FormHelperText>
            {isChoiceMissing
              ? choice.missing
              : hasKeys && "A number sends immediately. You can undo it for 60 seconds."}
          </FormHelperText>
        </FormControl>
      )}
      {choice && !text && (
        <TextField
          fullWidth
          autoFocus
          select
          label={choice.label}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={isChoiceMissing}
          helperText={isChoiceMissing ? choice.missing : choice.hint?.(code)}
        >
          {Object.entries(choice.options).map(([each, words]) => (
            <MenuItem key={each} value={each}>
              {words}
            </MenuItem>
          ))}
        </TextField>
      )}
      {text && (
        <TextField
          fullWidth
          autoFocus={!choice}
          multiline
          minRows={choice ? 2 : 3}
          inputRef={textField}
          label={text.label}
          required={!text.neededFor || text.neededFor === code}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={asked && isMissing()}
          helperText={
            asked && isMissing()
              ? text.missing
              : `${typed.length} of ${longest(text.field)} characters`
          }
          slotProps={{ htmlInput: given({ maxLength: longest(text.field) }) }}
        />
      )}
    </FormDialog>
  );
}
