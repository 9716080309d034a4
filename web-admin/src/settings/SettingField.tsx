import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { type Control, useController } from "react-hook-form";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { problemWith, type SettingForm } from "./setting-values.ts";

/** The control of one setting, with its sentence below. */
export function SettingField({
  name,
  control,
  note,
}: {
  readonly name: SettingName;
  readonly control: Control<SettingForm>;
  /** A second sentence, about how the setting stands now. */
  readonly note?: string | undefined;
}) {
  const row = settingRow(name);
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: (value) => problemWith(name, value) ?? true },
  });
  const { ref, value, ...input } = field;
  const id = `setting-${name}`;
  const help = fieldState.error?.message || [row.sentence, note].filter(Boolean).join(" ");
  if (row.kind === "switch")
    return (
      <Box>
        <FormControlLabel
          control={
            <Switch
              {...input}
              checked={value === true}
              slotProps={{ input: { ref, id, "aria-describedby": `${id}-help` } }}
            />
          }
          label={row.label}
        />
        <FormHelperText id={`${id}-help`} error={fieldState.invalid} sx={{ mt: 0, ml: 0 }}>
          {help}
        </FormHelperText>
      </Box>
    );
  const isMoment = row.kind === "instant";
  return (
    <TextField
      {...input}
      id={id}
      value={value}
      inputRef={ref}
      label={row.kind === "whole" ? `${row.label} (${row.unit})` : row.label}
      type={isMoment ? "datetime-local" : "text"}
      error={fieldState.invalid}
      helperText={help}
      autoComplete="off"
      fullWidth={row.kind === "line"}
      sx={row.kind === "line" ? {} : { maxWidth: 320 }}
      slotProps={{
        inputLabel: isMoment ? { shrink: true } : {},
        htmlInput: {
          ...(row.kind === "line" ? { maxLength: row.most } : {}),
          ...(row.kind === "whole" ? { inputMode: "numeric" } : {}),
        },
      }}
    />
  );
}
