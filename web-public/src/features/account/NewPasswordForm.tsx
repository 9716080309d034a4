import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ACCOUNT_FAILED, ACCOUNT_UNANSWERED } from "#contracts/account/account-words.ts";
import { newPasswordProblems, RESET_PASSWORD } from "#contracts/account/password-rule.ts";
import { useApi } from "../../api/use-api.ts";
import { paths } from "../../config/paths.ts";
import { AccountForm } from "./AccountPage.tsx";
import { NewPasswordFields } from "./NewPasswordFields.tsx";
import { useAccountForm } from "./use-account-form.ts";

const EMPTY = { password: "", confirmPassword: "" };

/** Sets a new password by the token of a link. */
export function NewPasswordForm({
  token,
  onDone,
  ifInvalid = <Link to={paths.forgotPassword}>Request a new link</Link>,
}: {
  readonly token: string;
  readonly onDone: () => void;
  /** What helps where the link doesn't work. */
  readonly ifInvalid?: ReactNode;
}) {
  const api = useApi();
  const form = useAccountForm({
    initial: EMPTY,
    check: (values) => newPasswordProblems(values, RESET_PASSWORD),
    async send(values) {
      await api.post("/api/auth/reset-password", { body: { token, ...values } });
      onDone();
    },
    failed: { refused: ACCOUNT_FAILED.reset, unanswered: ACCOUNT_UNANSWERED.reset },
  });
  return (
    <AccountForm
      form={form}
      submit="Set New Password"
      sending="Setting your password…"
      help={{ link_invalid: <p>{ifInvalid}</p> }}
    >
      <NewPasswordFields form={form} whose="unknown" label="New password" />
    </AccountForm>
  );
}
