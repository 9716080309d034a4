import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import { codesOf } from "./setting-values.ts";

/** Ticks for each of several; those without a tick are switched off. */
export function SwitchedOffField(props: {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  /** Words by code. */
  readonly choices: Readonly<Record<string, string>>;
  /** Codes that are switched off, with commas between. */
  readonly value: string;
  readonly isInvalid: boolean;
  readonly onChange: (value: string) => void;
}) {
  const { id, label, help, choices, value, isInvalid, onChange } = props;
  const off = new Set(codesOf(value));
  const toggled = (code: string) =>
    Object.keys(choices).filter((each) => (each === code ? !off.has(each) : off.has(each)));
  return (
    <FormControl
      component="fieldset"
      error={isInvalid}
      aria-describedby={`${id}-help`}
      variant="standard"
    >
      <FormLabel component="legend" focused={false}>
        {label}
      </FormLabel>
      <FormGroup sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}>
        {Object.entries(choices).map(([code, words]) => (
          <FormControlLabel
            key={code}
            control={
              <Checkbox
                checked={!off.has(code)}
                onChange={() => onChange(toggled(code).join(","))}
              />
            }
            label={words}
          />
        ))}
      </FormGroup>
      <FormHelperText id={`${id}-help`} sx={{ ml: 0 }}>
        {help}
      </FormHelperText>
    </FormControl>
  );
}
