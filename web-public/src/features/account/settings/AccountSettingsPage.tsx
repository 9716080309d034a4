import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  NOTIFICATION_LABELS,
  type NotificationName,
} from "#contracts/account/account-messages.ts";
import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deadlines.ts";
import { newPasswordProblems } from "#contracts/account/password-rule.ts";
import type { Preferences, User } from "#contracts/http/account.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { Button, ButtonLink } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { paths } from "../../../config/paths.ts";
import {
  keepTokens,
  type NewTokens,
  useAccountClient,
  useStore,
} from "../../../session/session-store-of.ts";
import { AccountForm, AccountPage } from "../AccountPage.tsx";
import { NewPasswordFields, PasswordField } from "../PasswordFields.tsx";
import { AccountStatistics, OwnProfile } from "../ProfilePage.tsx";
import { RequireAccount } from "../RequireAccount.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import styles from "./AccountSettingsPage.module.css";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { ExportData } from "./ExportData.tsx";
import { Sessions } from "./Sessions.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { TwoFactor } from "./TwoFactor.tsx";

/** The account's profile, security, notifications and data. */
export function Component() {
  return (
    <AccountPage title="Account Settings">
      <RequireAccount>{(user) => <Settings key={user.id} user={user} />}</RequireAccount>
    </AccountPage>
  );
}

function Settings({ user }: { user: User }) {
  // Changing it reloads the sessions, after something ended them.
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

function DeleteAccount() {
  return (
    <SettingsSection title="Delete Account">
      <p>
        We&apos;ll permanently delete your profile and any files not attached to a report after{" "}
        {ACCOUNT_KEPT_DAYS} days. Reports you submitted stay published, without your name.
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
  const store = useStore();
  const api = useAccountClient();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send(values) {
      const { data } = await api.post<NewTokens>("/api/auth/change-password", { body: values });
      keepTokens(store, data);
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
      onCancel={() => onClose("closed")}
    >
      <p>Changing your password signs you out everywhere but here.</p>
      {/* Tells the password manager whose password this is. */}
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

const FAILED = {
  read: "We couldn't load your notification settings. Please try again.",
  save: "We couldn't save your choice. Please try again.",
} as const;
const NAMES = Object.keys(NOTIFICATION_LABELS) as NotificationName[];

/** Notification settings. Without a confirmed address none are sent. */
interface OwnPreferences {
  readonly preferences: Preferences;
  readonly confirmed: boolean;
}

const PREFERENCES = "/api/auth/preferences";

/** Notification settings. Each choice is saved immediately. */
function Notifications() {
  const api = useAccountClient();
  const read = useRead<OwnPreferences>(
    (signal) => api.get(PREFERENCES, { signal }),
    [api],
    FAILED.read,
  );
  const { data: own } = read;
  const save = useAction(FAILED.save);
  const [said, setSaid] = useState("");
  const [saving, setSaving] = useState<NotificationName | null>(null);

  const choose = (name: NotificationName, value: boolean) =>
    save.run(async () => {
      if (!own) return;
      setSaving(name);
      setSaid("Saving…");
      try {
        const body = { [name]: value };
        const { data, message = "Saved." } = await api.put<Pick<OwnPreferences, "preferences">>(
          PREFERENCES,
          { body },
        );
        if (data) read.setData({ ...own, preferences: data.preferences });
        setSaid(message);
      } catch (error) {
        setSaid("");
        throw error;
      } finally {
        setSaving(null);
      }
    });

  return (
    <SettingsSection title="Notifications">
      <p>Choose which emails you get. We always send security alerts.</p>
      <Failure text={save.failure} />
      <Failure text={read.failure} onRetry={read.again} />
      {!own && read.failure === null && <p>Loading…</p>}
      {own && !own.confirmed && (
        <p id="notifications-off">
          Notifications are off until you confirm your email address. Open the link in our email, or{" "}
          <Link to={paths.profile}>resend it from your profile</Link>.
        </p>
      )}
      {own && (
        <ul className={styles.list}>
          {NAMES.map((name) => (
            <Choice
              key={name}
              name={name}
              checked={own.confirmed && own.preferences[name] !== (saving === name)}
              disabled={!own.confirmed}
              busy={save.isBusy}
              onChoose={(value) => void choose(name, value)}
            />
          ))}
        </ul>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
    </SettingsSection>
  );
}

function Choice(props: {
  name: NotificationName;
  checked: boolean;
  disabled: boolean;
  busy: boolean;
  onChoose: (value: boolean) => void;
}) {
  const { name, checked, disabled, busy, onChoose } = props;
  const { label, help } = NOTIFICATION_LABELS[name];
  const id = `notification-${name}`;
  return (
    <li className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-disabled={busy}
        aria-describedby={disabled ? `${id}-help notifications-off` : `${id}-help`}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-help`}>{help}</p>
      </div>
    </li>
  );
}
