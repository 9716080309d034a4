import Box from "@mui/material/Box";
import { BooleanInput, CheckboxGroupInput } from "react-admin";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { type SettingRow, settingText } from "#contracts/settings/setting-row.ts";
import { Field, type FormField } from "../shared/fields.tsx";
import { codesOf, problemWith } from "./setting-values.ts";

const TYPES: Partial<Record<SettingRow["kind"], NonNullable<FormField["type"]>>> = {
  whole: "number",
  instant: "datetime-local",
  address: "email",
};

/** The control of one setting, with its help text. */
export function SettingField(props: {
  readonly name: SettingName;
  /** The saved settings: the value that applies while the field is empty is its placeholder. */
  readonly present: SystemSettings;
  /** A second sentence about the current state. */
  readonly note?: string | undefined;
}) {
  const { name, present, note } = props;
  const row: SettingRow = settingRow(name);
  const field = { name, row, help: [row.sentence, note].filter(Boolean).join(" ") };
  if (row.kind === "switch") return <SwitchField {...field} />;
  if (row.kind === "off") return <SwitchedOffField {...field} choices={row.choices} />;
  const isWide = row.kind === "line" || row.kind === "address";
  return (
    // Limits only the input: the help text may be wider.
    <Box sx={isWide ? {} : { "& .MuiInputBase-root": { maxWidth: 320 } }}>
      <Field
        id={`setting-${name}`}
        field={{
          source: name,
          label: row.kind === "whole" && !row.orNone ? `${row.label} (${row.unit})` : row.label,
          help: field.help,
          placeholder: settingText(name, present.otherwise[name] ?? present[name]),
          fault: (typed) => problemWith(name, typed),
          ...omitUndefined({ type: TYPES[row.kind] }),
          ...(row.kind === "choice" && { choices: row.choices }),
          ...(row.kind === "line" && { max: row.most }),
        }}
      />
    </Box>
  );
}

interface FieldProps {
  readonly name: SettingName;
  readonly row: SettingRow;
  readonly help: string;
}

function SwitchField({ name, row, help }: FieldProps) {
  const id = `setting-${name}`;
  return (
    <BooleanInput
      source={name}
      id={id}
      label={row.label}
      helperText={<span id={`${id}-help`}>{help}</span>}
      slotProps={{ input: { "aria-describedby": `${id}-help` } }}
    />
  );
}

/** A checkbox for each choice; unchecked ones are turned off. */
function SwitchedOffField(
  props: FieldProps & {
    readonly choices: Readonly<Record<string, string>>;
  },
) {
  const { name, row, help, choices } = props;
  const id = `setting-${name}-help`;
  const without = (codes: readonly string[]) =>
    Object.keys(choices).filter((code) => !codes.includes(code));
  return (
    <CheckboxGroupInput
      source={name}
      label={row.label}
      choices={Object.entries(choices).map(([code, words]) => ({ id: code, name: words }))}
      format={(off: string) => without(codesOf(off))}
      parse={(on: string[]) => without(on).join(",")}
      helperText={<span id={id}>{help}</span>}
      aria-describedby={id}
      margin="none"
      sx={{
        // Prevents react-admin from scaling it down like an input's label.
        "& .RaCheckboxGroupInput-label": { transform: "none" },
        "& legend.Mui-focused": { color: "text.secondary" },
        "& .MuiFormGroup-root": { display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } },
      }}
    />
  );
}
