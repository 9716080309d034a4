import type { Control } from "react-hook-form";
import { CONTENT_BOUNDS, type ContentKind } from "#contracts/content/content-rules.ts";
import { FormField } from "../shared/FormField.tsx";
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
      <FormField
        name="title"
        label={words.title}
        control={control}
        max={CONTENT_BOUNDS.title}
        required
      />
      {kind === "faq" ? (
        <FormField
          name="order"
          label="Place in the list"
          hint="Questions are sorted by this number, the smallest first."
          control={control}
          isNumber
          required
        />
      ) : (
        <FormField
          name="description"
          label="Description"
          hint="One sentence for lists and search engines. It is needed before the text can be published."
          control={control}
          max={CONTENT_BOUNDS.description}
        />
      )}
      <FormField
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
