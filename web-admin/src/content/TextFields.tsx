import TextField from "@mui/material/TextField";
import { type Control, useController } from "react-hook-form";
import { CONTENT_BOUNDS, type ContentKind } from "#contracts/content/content-rules.ts";
import { formatCount } from "../shared/formats.ts";
import type { TextValues } from "./text-values.ts";
import { fieldWords } from "./text-words.ts";

/** Names that stand for a value of the registry in every text. */
const VALUES_HINT =
  "{{product_name}}, {{support_email}} and {{resolution_fee}} stand for the registry's own values.";

/** The fields of a text of this kind. */
export function TextFields({
  kind,
  control,
}: {
  readonly kind: ContentKind;
  readonly control: Control<TextValues>;
}) {
  const words = fieldWords(kind);
  return (
    <>
      <Field
        name="title"
        label={words.title}
        control={control}
        max={CONTENT_BOUNDS.title}
        required
      />
      {kind === "faq" ? (
        <Field
          name="order"
          label="Place in the list"
          hint="Questions are sorted by this number, the smallest first."
          control={control}
          isNumber
          required
        />
      ) : (
        <Field
          name="description"
          label="Description"
          hint="One sentence for lists and search engines. It is needed before the text can be published."
          control={control}
          max={CONTENT_BOUNDS.description}
        />
      )}
      <Field
        name="body"
        label={words.body}
        hint={VALUES_HINT}
        control={control}
        max={CONTENT_BOUNDS.body}
        isLong
      />
    </>
  );
}

function Field(props: {
  readonly name: keyof TextValues;
  readonly label: string;
  readonly control: Control<TextValues>;
  readonly hint?: string;
  /** Most characters. */
  readonly max?: number;
  readonly required?: boolean;
  readonly isLong?: boolean;
  readonly isNumber?: boolean;
}) {
  const { name, label, control, hint, max, required = false, isLong = false, isNumber } = props;
  const { field, fieldState } = useController({ name, control });
  const { ref, ...input } = field;
  const count =
    max && field.value.length > max * 0.8
      ? `${formatCount(field.value.length)} of ${formatCount(max)} characters`
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
