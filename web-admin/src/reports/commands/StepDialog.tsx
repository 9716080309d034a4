import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import { type KeyboardEvent, useRef, useState } from "react";
import type { TObject } from "typebox";
import { given } from "#contracts/given.ts";
import { moderation } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { FormDialog, type FormDialogProps } from "../../shared/FormDialog.tsx";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { useDraft } from "../../shared/use-draft.ts";
import { useOffered, useSettings } from "../../shared/use-settings.ts";
import type { Asked, PageCommand, Question } from "./report-commands.ts";
import type { CommandSender } from "./use-command.ts";

interface AnswerOptions {
  /** The command's body, which says how long a text may be. */
  readonly body: TObject;
  /** Under which the text outlives the dialog; absent where it does not. */
  readonly draft?: string;
  /** Whether the key of a reason may send it too. */
  readonly hasKeys?: boolean;
}

/**
 * The fields of what is asked for. The keys 1 to 9 choose a numbered reason. Where keys are on they send it too,
 * unless the reason needs a text.
 */
export function useAnswer({ choice, text }: Asked, options: AnswerOptions) {
  const { body, draft, hasKeys = false } = options;
  const [code, setCode] = useState("");
  const [typed, setTyped] = useDraft(draft);
  const [asked, setAsked] = useState(false);
  const textField = useRef<HTMLTextAreaElement>(null);
  const all = Object.keys(choice?.options ?? {});
  const offered = useOffered(all);
  const codes = choice?.isNumbered ? offered : all;
  const isNeeded = (chosen: string) =>
    text?.missing !== undefined && (!text.neededFor || text.neededFor === chosen);
  const isMissing = (chosen = code) => isNeeded(chosen) && !typed.trim();
  const properties: Readonly<Record<string, { maxLength?: number }>> = body.properties;
  const maxLength = text && properties[text.field]?.maxLength;

  /** The part of the command's body that was asked for; undefined, and said, where some of it is missing. */
  function answer(chosen = code): object | undefined {
    setAsked(true);
    if (choice && !chosen) return undefined;
    if (isMissing(chosen)) return void textField.current?.focus();
    return {
      ...(choice ? { [choice.field]: chosen } : {}),
      ...(text && typed.trim() ? { [text.field]: typed.trim() } : {}),
    };
  }
  function press(event: KeyboardEvent, send: (chosen: string) => void): void {
    const isTyping = event.target === textField.current;
    if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = choice?.isNumbered && codes[Number(event.key) - 1];
    if (!chosen) return;
    event.preventDefault();
    setCode(chosen);
    if (chosen === text?.neededFor) textField.current?.focus();
    else if (hasKeys) send(chosen);
  }
  const isChoiceMissing = asked && !code;
  const fields = [
    choice?.isNumbered && (
      <FormControl key="choice" error={isChoiceMissing}>
        <FormLabel id="reason-label">{choice.label}</FormLabel>
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
    ),
    choice && !choice.isNumbered && (
      <TextField
        key="choice"
        fullWidth
        autoFocus
        select
        label={choice.label}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={isChoiceMissing}
        helperText={isChoiceMissing ? choice.missing : choice.hint?.(code)}
      >
        {codes.map((each) => (
          <MenuItem key={each} value={each}>
            {choice.options[each]}
          </MenuItem>
        ))}
      </TextField>
    ),
    text && (
      <TextField
        key="text"
        fullWidth
        autoFocus={!choice}
        multiline={!text.isLine}
        minRows={text.isLine ? undefined : choice ? 2 : 3}
        inputRef={textField}
        label={text.label}
        required={isNeeded(code)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={asked && isMissing()}
        helperText={
          asked && isMissing()
            ? text.missing
            : maxLength !== undefined && `${typed.length} of ${maxLength} characters`
        }
        slotProps={{ htmlInput: given({ maxLength }) }}
      />
    ),
  ].filter((field) => !!field);
  return { fields, answer, press };
}

/** Says what a step will do, and asks for what it needs. */
export function StepDialog({
  asks = {},
  onConfirm,
  ...props
}: Omit<FormDialogProps, "children" | "onKeyDown" | "onSubmit"> &
  AnswerOptions & {
    readonly asks?: Asked;
    /** @param answer the part of the command's body that was asked for. */
    readonly onConfirm: (answer: object) => void;
  }) {
  const { fields, answer, press } = useAnswer(asks, props);
  const send = (chosen?: string) => {
    const given = answer(chosen);
    if (given && !props.running) onConfirm(given);
  };
  return (
    <FormDialog {...props} onKeyDown={(event) => press(event, send)} onSubmit={() => send()}>
      {fields}
    </FormDialog>
  );
}

/** The dialog of a command with a question. */
export function CommandDialog({
  command,
  report,
  name,
  sender,
  ...rest
}: {
  readonly command: PageCommand;
  readonly report: AdminReport;
  /** Whose report it is. */
  readonly name: string;
  readonly sender: CommandSender;
  readonly hasKeys?: boolean;
  readonly onConfirm: (answer: object) => void;
  readonly onClose: () => void;
}) {
  const { title, consequence, confirm, cancel = "Cancel", ...asks } = command.asks as Question;
  const { data: settings } = useSettings();
  return (
    <StepDialog
      {...rest}
      asks={asks}
      body={moderation(command.name).body}
      draft={`${report.id} ${command.label}`}
      title={title(name)}
      consequence={consequence(report, settings?.eraseHours)}
      confirm={confirm}
      cancel={cancel}
      isFinal={command.isApart ?? false}
      running={sender.running !== undefined}
      failure={sender.failure}
    />
  );
}
