import { useRef, useState } from "react";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
} from "#contracts/account/account-words.ts";
import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deadlines.ts";
import { newPasswordProblems } from "#contracts/account/password-rule.ts";
import type { User } from "#contracts/http/auth.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { changePassword } from "../../../api/account-security.ts";
import { Button, ButtonLink } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { paths } from "../../../config/paths.ts";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { AccountForm, AccountPage } from "../AccountPage.tsx";
import { AccountStatistics } from "../AccountStatistics.tsx";
import { NewPasswordFields } from "../NewPasswordFields.tsx";
import { OwnProfile } from "../OwnProfile.tsx";
import { PasswordField } from "../PasswordField.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { ExportData } from "./ExportData.tsx";
import { keepTokens } from "./keep-tokens.ts";
import { Notifications } from "./Notifications.tsx";
import { Sessions } from "./Sessions.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { TwoFactor } from "./TwoFactor.tsx";

/** Who an account is, how it is protected, what it is told, and what the registry knows of it. */
export function AccountSettingsPage() {
  return (
    <AccountPage title="Account Settings">
      <RequireAccount waiting={<p>Loading your account…</p>}>
        {(user) => <Settings key={user.id} user={user} />}
      </RequireAccount>
    </AccountPage>
  );
}

function Settings({ user }: { user: User }) {
  // Whatever ends other sessions has the list read again.
  const [round, setRound] = useState(0);
  const onChanged = () => setRound((before) => before + 1);
  return (
    <>
      <SettingsSection title="Profile">
        <OwnProfile user={user} />
      </SettingsSection>
      <ChangeEmail email={user.email} wanted={user.email_change?.email} />
      <ChangePassword email={user.email} isStaff={user.role !== "user"} onChanged={onChanged} />
      <TwoFactor user={user} onChanged={onChanged} />
      <Sessions round={round} />
      <Notifications />
      <AccountStatistics user={user} />
      <ExportData />
      {user.role === "user" && <DeleteAccount />}
    </>
  );
}

/** Leads to the page that deletes the account. */
function DeleteAccount() {
  return (
    <SettingsSection title="Delete Account">
      <p>
        Deletes your profile, and files that no report uses, after {ACCOUNT_KEPT_DAYS} days. Reports
        you submitted stay published, without your name.
      </p>
      <div>
        <ButtonLink kind="danger" to={paths.deleteAccount}>
          Delete Account
        </ButtonLink>
      </div>
    </SettingsSection>
  );
}

const EMPTY = { currentPassword: "", password: "", confirmPassword: "" };

function check(values: typeof EMPTY): Problems {
  const missing = { currentPassword: "Current password is a required field" };
  return { ...(values.currentPassword ? {} : missing), ...newPasswordProblems(values) };
}

/** The account's password: a form for another one, when it is asked for. */
function ChangePassword(props: { email: string; isStaff: boolean; onChanged: () => void }) {
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
