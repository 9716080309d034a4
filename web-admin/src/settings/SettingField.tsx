import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { type Control, useController } from "react-hook-form";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import type { SettingRow } from "#contracts/settings/setting-row.ts";
import { SwitchedOffField } from "./SwitchedOffField.tsx";
import { problemWith, type SettingForm } from "./setting-values.ts";

/** Kinds that are typed by the browser's own controls. */
const TYPES: Partial<Record<SettingRow["kind"], string>> = {
  instant: "datetime-local",
  time: "time",
  address: "email",
};

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
  if (row.kind === "off")
    return (
      <SwitchedOffField
        {...{ id, help, label: row.label, choices: row.choices, value: String(value) }}
        isInvalid={fieldState.invalid}
        onChange={input.onChange}
      />
    );
  const isWide = row.kind === "line" || row.kind === "address";
  const type = TYPES[row.kind] ?? "text";
  const isDrawnByBrowser = row.kind === "instant" || row.kind === "time";
  return (
    <TextField
      {...input}
      id={id}
      value={value}
      inputRef={ref}
      label={row.kind === "whole" && !row.orNone ? `${row.label} (${row.unit})` : row.label}
      type={type}
      select={row.kind === "choice"}
      error={fieldState.invalid}
      helperText={help}
      placeholder={row.empty}
      autoComplete="off"
      fullWidth
      sx={{
        // The sentence below may be wider than what is typed.
        "& .MuiInputBase-root": isWide ? {} : { maxWidth: 320 },
        "& .MuiFormHelperText-root": { ml: 0 },
      }}
      slotProps={{
        inputLabel: isDrawnByBrowser ? { shrink: true } : {},
        htmlInput: {
          ...(row.kind === "line" ? { maxLength: row.most } : {}),
          ...(row.kind === "whole" ? { inputMode: "numeric" } : {}),
        },
      }}
    >
      {row.kind === "choice" &&
        Object.entries(row.choices).map(([code, words]) => (
          <MenuItem key={code} value={code}>
            {words}
          </MenuItem>
        ))}
    </TextField>
  );
}
