import type { Control } from "react-hook-form";
import type { TemplateText } from "#contracts/http/admin-templates.ts";
import { TEMPLATE_BOUNDS } from "#contracts/mail/template-kinds.ts";
import { FormField } from "../shared/FormField.tsx";

/** The fields of a template. */
export function TemplateFields({ control }: { readonly control: Control<TemplateText> }) {
  return (
    <>
      <FormField
        name="name"
        label="Name"
        hint="For admins only."
        control={control}
        max={TEMPLATE_BOUNDS.name}
        required
      />
      <FormField
        name="subject"
        label="Subject"
        control={control}
        max={TEMPLATE_BOUNDS.subject}
        required
      />
      <FormField
        name="body"
        label="Body (Markdown)"
        control={control}
        max={TEMPLATE_BOUNDS.body}
        required
        isLong
      />
    </>
  );
}
