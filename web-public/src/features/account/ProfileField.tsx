import type { ProfileRow } from "#contracts/account/profile-fields.ts";
import { TextField } from "./TextField.tsx";
import type { FieldOfForm } from "./use-account-form.ts";

/** A field of the profile, as its row describes it. */
export function ProfileField(props: { row: ProfileRow; field: FieldOfForm; type?: "tel" | "url" }) {
  const { row, field, type = "text" } = props;
  return (
    <TextField
      field={field}
      label={row.label}
      type={type}
      autoComplete={row.autocomplete ?? "off"}
      maxLength={row.max}
      required={row.required === true}
      {...(row.prose ? { rows: 5 } : {})}
      {...(type === "url" ? { hint: "Include https://, for example https://example.com" } : {})}
    />
  );
}
