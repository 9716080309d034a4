import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import { TextInput } from "react-admin";
import { useController, useWatch } from "react-hook-form";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { formatCount } from "./formats.ts";
import { KeyHint } from "./parts.tsx";

/** A field of a form with string values. */
export interface FormField<Name extends string = string> {
  readonly source: Name;
  readonly label: string;
  /** Maximum number of characters. */
  readonly max?: number;
  readonly type?: "email" | "date" | "datetime-local" | "password" | "number" | "money";
  readonly choices?: Readonly<Record<string, string>>;
  /** Whether all choices are visible, each with a shortcut key from 1 to 9. */
  readonly isNumbered?: true;
  /** Whether it is multiline: a few lines, or a whole Markdown text. */
  readonly isLong?: true | "markdown";
  readonly placeholder?: string;
  readonly help?: string | ((typed: string) => string);
  /** Error if the value does not match `like` or, by default, is empty; without it, the field is optional. */
  readonly needs?: string | undefined;
  readonly like?: RegExp;
  readonly fault?: (typed: string) => string | undefined;
}

/** Returns why a value can't be sent; undefined if it can. The server makes the final decision. */
export function problemWith(field: FormField, typed: string): string | undefined {
  const { max = Number.POSITIVE_INFINITY, needs, like = /./, fault } = field;
  if (!like.test(typed.trim()) && needs) return needs;
  return typed.length > max ? `At most ${formatCount(max)} characters` : fault?.(typed);
}

/** Returns the form's values as lines, for comparison. */
export function linesOf<Name extends string>(
  fields: readonly FormField<Name>[],
  values: Readonly<Record<Name, string>>,
): readonly string[] {
  return fields.flatMap(({ source, label, isLong }) =>
    isLong
      ? [`${label}:`, ...values[source].replace(/\n$/, "").split("\n")]
      : `${label}: ${values[source]}`,
  );
}

/** Returns a help text that shows the length. */
export const lengthOf = (max: number) => (typed: string) =>
  `${formatCount(typed.length)} of ${formatCount(max)} characters`;

interface FieldProps {
  readonly field: FormField;
  readonly id?: string;
  readonly autoFocus?: boolean;
}

/** A field of the surrounding form, with its error below. */
export function Field(props: FieldProps) {
  return props.field.isNumbered ? <NumberedChoice {...props} /> : <TextOrMenu {...props} />;
}

function NumberedChoice({ field: asked, autoFocus = false }: FieldProps) {
  const { source, label, choices = {}, help } = asked;
  const rules = { validate: (code?: string | null) => problemWith(asked, code ?? "") };
  const { field, fieldState } = useController({ name: source, rules });
  const id = useId();
  const chosen: string = field.value ?? "";
  return (
    <FormControl error={fieldState.invalid}>
      <FormLabel id={id}>{label}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={chosen}
        onChange={field.onChange}
        sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}
      >
        {Object.entries(choices).map(([code, words], index) => (
          <FormControlLabel
            key={code}
            value={code}
            control={
              <Radio
                autoFocus={autoFocus && index === 0}
                slotProps={index === 0 ? { input: { ref: field.ref } } : {}}
              />
            }
            label={
              <>
                <KeyHint>{String(index + 1)}</KeyHint> {words}
              </>
            }
          />
        ))}
      </RadioGroup>
      <FormHelperText>
        {fieldState.error?.message ?? (typeof help === "function" ? help(chosen) : help)}
      </FormHelperText>
    </FormControl>
  );
}

function TextOrMenu(props: FieldProps) {
  const { field, id, autoFocus = false } = props;
  const { source, label, max, type = "text", choices, isLong, placeholder, help, needs } = field;
  const typed = String(useWatch({ name: source }) ?? "");
  const count =
    max &&
    typed.length > max * 0.8 &&
    `${formatCount(typed.length)} of ${formatCount(max)} characters`;
  const words = typeof help === "function" ? help(typed) : [help, count].filter(Boolean).join(" ");
  const isMarkdown = isLong === "markdown";
  return (
    <TextInput
      source={source}
      {...omitUndefined({ id })}
      label={label}
      type={type === "number" || type === "money" ? "text" : type}
      {...omitUndefined({ placeholder })}
      fullWidth
      autoFocus={autoFocus}
      autoComplete={type === "password" ? "current-password" : "off"}
      required={needs !== undefined}
      // Keep "" instead of react-admin's null for an empty field.
      parse={(text: string) => text}
      validate={(value?: string | null) => problemWith(field, value ?? "")}
      helperText={words || false}
      multiline={isLong !== undefined}
      minRows={isMarkdown ? 16 : isLong && 3}
      {...(isMarkdown && { maxRows: 32 })}
      select={choices !== undefined}
      slotProps={{
        htmlInput: {
          maxLength: max,
          ...(type === "number" && { inputMode: "numeric" }),
          ...(type === "money" && { inputMode: "decimal", style: { textAlign: "right" } }),
          ...(isMarkdown && { style: { fontFamily: "monospace" } }),
        },
        select: { displayEmpty: choices !== undefined && "" in choices },
      }}
    >
      {Object.entries(choices ?? {}).map(([code, option]) => (
        <MenuItem key={code} value={code}>
          {option}
        </MenuItem>
      ))}
    </TextInput>
  );
}
