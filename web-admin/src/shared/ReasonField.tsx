import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";

export interface ReasonFieldProps {
  readonly label: string;
  /** Codes and their words. */
  readonly reasons: readonly (readonly [code: string, words: string])[];
  /** Empty until one is chosen. */
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Whether a choice is missing where one was asked for. */
  readonly isMissing: boolean;
  /** Where the reason is kept, or who reads it. */
  readonly help: string;
}

/** Asks for one of several reasons. */
export function ReasonField({
  label,
  reasons,
  value,
  onChange,
  isMissing,
  help,
}: ReasonFieldProps) {
  return (
    <TextField
      select
      fullWidth
      autoFocus
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={isMissing}
      helperText={isMissing ? "Choose a reason" : help}
    >
      {reasons.map(([code, words]) => (
        <MenuItem key={code} value={code}>
          {words}
        </MenuItem>
      ))}
    </TextField>
  );
}
