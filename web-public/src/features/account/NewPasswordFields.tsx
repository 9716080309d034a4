import { PasswordField } from "./PasswordField.tsx";
import type { FieldOfForm } from "./use-account-form.ts";

/** A new password and its repetition: the same in every form that sets one. */
export function NewPasswordFields(props: {
  form: { field(name: "password" | "confirmPassword"): FieldOfForm };
  label?: string;
}) {
  const { form, label = "Password" } = props;
  return (
    <>
      <PasswordField
        field={form.field("password")}
        label={label}
        autoComplete="new-password"
        hint="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
        required
      />
      <PasswordField
        field={form.field("confirmPassword")}
        label={`Confirm ${label.toLowerCase()}`}
        autoComplete="new-password"
        required
      />
    </>
  );
}
