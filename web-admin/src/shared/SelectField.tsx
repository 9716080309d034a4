import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";

export interface SelectFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Codes and their labels, in the order of the list. */
  readonly options: readonly (readonly [code: string, label: string])[];
  readonly onChange: (code: string | undefined) => void;
  /** Label of the entry that selects nothing. */
  readonly all?: string;
  readonly width?: number;
}

const ALL = "all";

/** A filter with one of several values, or none. */
export function SelectField(props: SelectFieldProps) {
  const { label, value, options, onChange, all = "All", width = 150 } = props;
  return (
    <TextField
      select
      label={label}
      value={value ?? ALL}
      onChange={(event) => onChange(event.target.value === ALL ? undefined : event.target.value)}
      sx={{ flex: { xs: "1 1 140px", md: `0 0 ${width}px` } }}
    >
      <MenuItem value={ALL}>{all}</MenuItem>
      {options.map(([code, text]) => (
        <MenuItem key={code} value={code}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}
