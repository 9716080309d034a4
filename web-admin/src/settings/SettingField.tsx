import MenuItem from "@mui/material/MenuItem";
import { BooleanInput, CheckboxGroupInput, TextInput } from "react-admin";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { type SettingRow, settingInWords } from "#contracts/settings/setting-row.ts";
import { codesOf, problemWith } from "./setting-values.ts";

/** Kinds that are typed by the browser's own controls. */
const TYPES: Partial<Record<SettingRow["kind"], string>> = {
  instant: "datetime-local",
  address: "email",
};

/** The control of one setting, with its sentence below. */
export function SettingField(props: {
  readonly name: SettingName;
  /** As saved: what applies while the field is empty is the placeholder. */
  readonly present: SystemSettings;
  /** A second sentence, about how the setting stands now. */
  readonly note?: string | undefined;
}) {
  const { name, present, note } = props;
  const row: SettingRow = settingRow(name);
  const field = { name, row, help: [row.sentence, note].filter(Boolean).join(" ") };
  if (row.kind === "switch") return <SwitchField {...field} />;
  if (row.kind === "off") return <SwitchedOffField {...field} choices={row.choices} />;
  const isWide = row.kind === "line" || row.kind === "address";
  return (
    <TextInput
      source={name}
      id={`setting-${name}`}
      label={row.kind === "whole" && !row.orNone ? `${row.label} (${row.unit})` : row.label}
      type={TYPES[row.kind] ?? "text"}
      select={row.kind === "choice"}
      helperText={field.help}
      placeholder={settingInWords(name, present.otherwise[name] ?? present[name])}
      // An empty field is an empty text.
      parse={(typed: string) => typed}
      validate={(value: string) => problemWith(name, value)}
      autoComplete="off"
      fullWidth
      sx={{
        // The sentence below may be wider than what is typed.
        "& .MuiInputBase-root": isWide ? {} : { maxWidth: 320 },
      }}
      slotProps={{
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
    </TextInput>
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

/** Ticks for each of several; those without a tick are switched off. */
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
        // Else react-admin scales it down like the label of an input.
        "& .RaCheckboxGroupInput-label": { transform: "none" },
        "& legend.Mui-focused": { color: "text.secondary" },
        "& .MuiFormGroup-root": { display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } },
      }}
    />
  );
}
