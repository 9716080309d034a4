import type { ReactNode } from "react";
import { type KeyboardEvent, useState } from "react";
import { Link } from "react-router-dom";
import { ACCOUNT_FAILED, ACCOUNT_UNANSWERED } from "#contracts/account/account-messages.ts";
import {
  newPasswordProblems,
  passwordHint,
  RESET_PASSWORD,
} from "#contracts/account/password-rule.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useApi } from "../../api/use-api.ts";
import { paths } from "../../config/paths.ts";
import styles from "./AccountPage.module.css";
import { AccountForm } from "./AccountPage.tsx";
import { FieldFrame, TextField, type TextFieldProps } from "./TextField.tsx";
import type { FieldOfForm } from "./use-account-form.ts";
import { useAccountForm } from "./use-account-form.ts";

/** A password field that can be shown, allows pasting, and warns about Caps Lock. */
export function PasswordField(
  props: Omit<TextFieldProps, "type" | "rows" | "autoComplete"> & {
    autoComplete: "current-password" | "new-password";
  },
) {
  const [isShown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const notice = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <div>
      <FieldFrame {...props}>
        {({ onBlur, ...control }) => (
          <div className={styles.password}>
            <input
              {...control}
              type={isShown ? "text" : "password"}
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              onKeyDown={notice}
              onKeyUp={notice}
              onBlur={() => {
                setCapsLock(false);
                onBlur();
              }}
            />
            <button
              type="button"
              className="needs-script"
              aria-controls={control.id}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? "Hide" : "Show"}
              <span className="visually-hidden"> {props.label.toLowerCase()}</span>
            </button>
          </div>
        )}
      </FieldFrame>
      <p role="status" className={styles.capsLock}>
        {capsLock && "Caps Lock is on."}
      </p>
    </div>
  );
}

/** Validates a second-factor code. Returns problems by field. */
export function codeProblems({ code }: { readonly code: string }): Problems {
  return code.trim().length < 6 ? { code: "Enter the 6-digit code or a recovery code" } : {};
}

/** A field for a code from the authenticator app, or a recovery code. */
export function CodeField(props: Pick<TextFieldProps, "field" | "hint">) {
  return <TextField {...props} label="Code" autoComplete="one-time-code" maxLength={40} required />;
}

/** A new password and its confirmation, the same in every form that sets one. */
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

const EMPTY = { password: "", confirmPassword: "" };

/** Sets a new password with a link's token. */
export function NewPasswordForm({
  token,
  onDone,
  ifInvalid = <Link to={paths.forgotPassword}>Request a new link</Link>,
}: {
  readonly token: string;
  readonly onDone: () => void;
  /** Shown if the link is invalid. */
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
