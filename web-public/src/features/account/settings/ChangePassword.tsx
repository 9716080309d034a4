import { useRef, useState } from "react";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
} from "#contracts/account/account-words.ts";
import { newPasswordProblems } from "#contracts/account/password-rule.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { changePassword } from "../../../api/account-security.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { AccountForm } from "../AccountPage.tsx";
import { NewPasswordFields } from "../NewPasswordFields.tsx";
import { PasswordField } from "../PasswordField.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import { keepTokens } from "./keep-tokens.ts";
import { SettingsSection } from "./SettingsSection.tsx";

const EMPTY = { currentPassword: "", password: "", confirmPassword: "" };

function check(values: typeof EMPTY): Problems {
  const missing = { currentPassword: "Current password is a required field" };
  return { ...(values.currentPassword ? {} : missing), ...newPasswordProblems(values) };
}

/** The account's password: a form for another one, when it is asked for. */
export function ChangePassword(props: { email: string; isStaff: boolean; onChanged: () => void }) {
  const [mode, setMode] = useState<"closed" | "form" | "changed">("closed");
  const heading = useRef<HTMLHeadingElement>(null);
  const close = (next: "closed" | "changed") => {
    setMode(next);
    heading.current?.focus();
    if (next === "changed") props.onChanged();
  };
  return (
    <SettingsSection title="Password" heading={heading}>
      <div role="status">
        {mode === "changed" && (
          <Notice tone="success">
            <p>{ACCOUNT_DONE.changed}</p>
            <p>You're signed out everywhere but here.</p>
          </Notice>
        )}
      </div>
      {mode === "form" ? (
        <PasswordForm email={props.email} isStaff={props.isStaff} onClose={close} />
      ) : (
        <div>
          <Button kind="secondary" onClick={() => setMode("form")}>
            Change Password
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}

function PasswordForm(props: {
  email: string;
  isStaff: boolean;
  onClose: (next: "closed" | "changed") => void;
}) {
  const { email, isStaff, onClose } = props;
  const store = storeOf(useSiteSession());
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send(values) {
      keepTokens(store, (await changePassword(accountClient(store), values)).data);
      onClose("changed");
    },
    failed: { refused: ACCOUNT_FAILED.change, unanswered: ACCOUNT_UNANSWERED.change },
  });
  useFocusInside(form);
  return (
    <AccountForm
      form={form}
      submit="Save Password"
      sending="Saving…"
      actions={
        <Button kind="secondary" onClick={() => onClose("closed")}>
          Cancel
        </Button>
      }
    >
      <p>Changing your password signs you out everywhere but here.</p>
      {/* For the browser's list of passwords: whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        field={form.field("currentPassword")}
        label="Current password"
        autoComplete="current-password"
        required
      />
      <NewPasswordFields form={form} whose={isStaff ? "staff" : "user"} label="New password" />
    </AccountForm>
  );
}
