import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { given } from "#contracts/given.ts";
import { resolutionCommand } from "#contracts/http/resolution.ts";
import { FormDialog } from "../../../shared/FormDialog.tsx";
import type { ResolutionAction } from "./resolution-actions.ts";

/** Says what a step will do, and asks for what it needs. */
export function ResolutionDialog({
  action,
  running,
  failure,
  onConfirm,
  onClose,
}: {
  readonly action: ResolutionAction;
  readonly running: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: (body: object) => void;
  readonly onClose: () => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState(false);
  const answers = Object.fromEntries(
    action.fields.map(({ name }) => [name, (values[name] ?? "").trim()]),
  );
  const schema: Readonly<Record<string, { maxLength?: number }>> = resolutionCommand(action.command)
    .body.properties;
  return (
    <FormDialog
      title={action.title}
      consequence={action.consequence}
      confirm={action.confirm}
      isFinal={action.isApart ?? false}
      running={running}
      failure={failure}
      onSubmit={() => {
        setAsked(true);
        if (Object.values(answers).every((answer) => answer !== ""))
          onConfirm({ ...action.body, ...answers });
      }}
      onClose={onClose}
    >
      {action.fields.map(({ name, label, choices, missing, isLong = false }, index) => (
        <TextField
          key={name}
          fullWidth
          required
          autoFocus={index === 0}
          select={choices !== undefined}
          multiline={isLong}
          minRows={isLong ? 3 : undefined}
          label={label}
          value={values[name] ?? ""}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          error={asked && !answers[name]}
          helperText={asked && !answers[name] ? missing : undefined}
          slotProps={{ htmlInput: given({ maxLength: schema[name]?.maxLength }) }}
        >
          {Object.entries(choices ?? {}).map(([code, words]) => (
            <MenuItem key={code} value={code}>
              {words}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </FormDialog>
  );
}
