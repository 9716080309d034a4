import TextField from "@mui/material/TextField";
import { type Control, type FieldValues, type Path, useController } from "react-hook-form";
import { formatCount } from "../formats.ts";

export interface FormFieldProps<T extends FieldValues> {
  readonly name: Path<T>;
  readonly label: string;
  readonly control: Control<T>;
  readonly hint?: string;
  /** Most characters. */
  readonly max?: number;
  readonly required?: boolean;
  readonly isLong?: boolean;
  readonly isNumber?: boolean;
}

/** A field of a form of texts, with what is wrong with it below. Its id is `text-` and its name. */
export function FormField<T extends FieldValues>(props: FormFieldProps<T>) {
  const { name, label, control, hint, max, required = false, isLong = false, isNumber } = props;
  const { field, fieldState } = useController({ name, control });
  const { ref, ...input } = field;
  const typed = String(field.value).length;
  const count =
    max && typed > max * 0.8
      ? `${formatCount(typed)} of ${formatCount(max)} characters`
      : undefined;
  const help = fieldState.error?.message ?? [hint, count].filter(Boolean).join(" ");
  return (
    <TextField
      {...input}
      id={`text-${name}`}
      inputRef={ref}
      fullWidth
      label={label}
      required={required}
      error={fieldState.invalid}
      helperText={help}
      multiline={isLong}
      {...(isLong ? { minRows: 16, maxRows: 32 } : {})}
      autoComplete="off"
      slotProps={{
        htmlInput: {
          ...(max === undefined ? {} : { maxLength: max }),
          ...(isNumber ? { inputMode: "numeric" } : {}),
          ...(isLong ? { style: { fontFamily: "monospace" } } : {}),
        },
      }}
    />
  );
}
