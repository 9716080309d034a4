import { passwordHint } from "#contracts/account/password-rule.ts";
import { PasswordField } from "./PasswordField.tsx";
import type { FieldOfForm } from "./use-account-form.ts";

/** A new password and its repetition: the same in every form that sets one. */
export function NewPasswordFields(props: {
  form: { field(name: "password" | "confirmPassword"): FieldOfForm };
  whose: Parameters<typeof passwordHint>[0];
  label?: string;
}) {
  const { form, whose, label = "Password" } = props;
  return (
    <>
      <PasswordField
        field={form.field("password")}
        label={label}
        autoComplete="new-password"
        hint={passwordHint(whose)}
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
