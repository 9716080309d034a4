import { type FormEvent, useState } from "react";
import type { VerifyEmail } from "#contracts/http/account.ts";
import { Button } from "../../components/Button.tsx";
import { PasswordField } from "../account/PasswordFields.tsx";
import styles from "./VerifyEmailPage.module.css";

/** ID of the password field. */
export const PASSWORD_ID = "field-password";

interface FormProps {
  readonly isSending: boolean;
  readonly onSend: (by: VerifyEmail) => void;
}

/** Reads what a form sends along with the link's token. */
export function proofIn(form: FormData): VerifyEmail {
  const password = form.get("password");
  if (form.has("start_over")) return { start_over: true };
  return typeof password === "string" && password ? { password } : {};
}

/** Sends the form by script; without JavaScript the browser posts it. */
function sending({ isSending, onSend }: FormProps) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isSending) onSend(proofIn(new FormData(event.currentTarget)));
  };
}

/** The confirmation button. Mail scanners open links, so opening one must do nothing. */
export function ConfirmForm(props: FormProps) {
  return (
    <form method="post" onSubmit={sending(props)}>
      <p>Select the button to confirm that this email address is yours.</p>
      <div className={styles.actions}>
        <Button type="submit" aria-disabled={props.isSending}>
          {props.isSending ? "Confirming…" : "Confirm Email"}
        </Button>
      </div>
    </form>
  );
}

/** For a browser without the account's session: asks for the password, or offers to start over. */
export function PasswordForms(props: FormProps & { readonly problem: string | undefined }) {
  const [password, setPassword] = useState("");
  return (
    <>
      <form method="post" className={styles.password} onSubmit={sending(props)}>
        <PasswordField
          field={{
            name: "password",
            id: PASSWORD_ID,
            value: password,
            problem: props.problem,
            onChange: setPassword,
            onBlur: () => undefined,
          }}
          label="Password"
          autoComplete="current-password"
          required
        />
        <div>
          <Button type="submit" aria-disabled={props.isSending}>
            {props.isSending ? "Confirming…" : "Confirm Email"}
          </Button>
        </div>
      </form>
      <form method="post" className={styles.startOver} onSubmit={sending(props)}>
        <h2>Don't know the password?</h2>
        <p>
          If you forgot it, or didn't create this account, you can set a new password. This removes
          the name and other details entered for this account, and detaches any reports submitted
          from it.
        </p>
        <input type="hidden" name="start_over" value="true" />
        <Button type="submit" kind="secondary" aria-disabled={props.isSending}>
          Set a New Password
        </Button>
      </form>
    </>
  );
}
