import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import { TextInput } from "react-admin";
import { useController } from "react-hook-form";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { type SettingRow, settingInWords } from "#contracts/settings/setting-row.ts";
import { codesOf, problemWith, type SettingForm } from "./setting-values.ts";

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

function useSetting(name: SettingName) {
  return useController<SettingForm, SettingName>({
    name,
    rules: { validate: (value) => problemWith(name, value) ?? true },
  });
}

function SwitchField({ name, row, help }: FieldProps) {
  const { field, fieldState } = useSetting(name);
  const { ref, value, ...input } = field;
  const id = `setting-${name}`;
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
      <FormHelperText id={`${id}-help`} error={fieldState.invalid} sx={{ mt: 0 }}>
        {fieldState.error?.message || help}
      </FormHelperText>
    </Box>
  );
}

/** Ticks for each of several; those without a tick are switched off. */
function SwitchedOffField(
  props: FieldProps & {
    /** Words by code. */
    readonly choices: Readonly<Record<string, string>>;
  },
) {
  const { name, row, help, choices } = props;
  const { field, fieldState } = useSetting(name);
  const id = `setting-${name}-help`;
  const off = new Set(codesOf(String(field.value)));
  const toggled = (code: string) =>
    Object.keys(choices).filter((each) => (each === code ? !off.has(each) : off.has(each)));
  return (
    <FormControl
      component="fieldset"
      error={fieldState.invalid}
      aria-describedby={id}
      variant="standard"
    >
      <FormLabel component="legend" focused={false}>
        {row.label}
      </FormLabel>
      <FormGroup sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}>
        {Object.entries(choices).map(([code, words]) => (
          <FormControlLabel
            key={code}
            control={
              <Checkbox
                checked={!off.has(code)}
                onChange={() => field.onChange(toggled(code).join(","))}
              />
            }
            label={words}
          />
        ))}
      </FormGroup>
      <FormHelperText id={id}>{fieldState.error?.message || help}</FormHelperText>
    </FormControl>
  );
}
