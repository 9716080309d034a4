import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useController } from "react-hook-form";
import type { FieldKind } from "#contracts/report/catalogue.ts";

export interface FormFieldProps {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly options?: readonly (readonly [code: string, label: string])[] | undefined;
  readonly required?: boolean;
  /** Placeholder while the field is empty. */
  readonly placeholder?: string | undefined;
}

/** One field of the edit form, with its error. */
export function FormField({ name, label, kind, options, required, placeholder }: FormFieldProps) {
  const { field, fieldState } = useController({ name });
  const { ref, ...input } = field;
  const isChoice = kind === "choice";
  return (
    <TextField
      {...input}
      inputRef={ref}
      fullWidth
      label={label}
      required={required}
      error={fieldState.invalid}
      helperText={fieldState.error?.message}
      select={isChoice}
      multiline={kind === "prose"}
      minRows={kind === "prose" ? 3 : undefined}
      type={kind === "date" ? "date" : "text"}
      autoComplete="off"
      placeholder={placeholder}
      slotProps={{
        htmlInput: kind === "money" ? { inputMode: "decimal", style: { textAlign: "right" } } : {},
        select: { displayEmpty: !required },
      }}
    >
      {isChoice && !required && <MenuItem value="">Not given</MenuItem>}
      {isChoice &&
        options?.map(([code, text]) => (
          <MenuItem key={code} value={code}>
            {text}
          </MenuItem>
        ))}
    </TextField>
  );
}
