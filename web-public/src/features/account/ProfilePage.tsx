import type { ReactNode } from "react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  PROFILE_NOT_RETURNED,
} from "#contracts/account/account-messages.ts";
import { profileProblems } from "#contracts/account/account-rules.ts";
import type { ProfileRow } from "#contracts/account/profile-fields.ts";
import {
  type ProfileField as FieldName,
  PROFILE_FIELDS,
} from "#contracts/account/profile-fields.ts";
import type { EditProfile, User } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ApiError } from "../../api/client.ts";
import { Button } from "../../components/Button.tsx";
import { LeaveGuard } from "../../components/LeaveGuard.tsx";
import { Notice } from "../../components/Notice.tsx";
import { formatCount, formatDate } from "../../lib/format.ts";
import { refreshAccount, useAccountClient, useStore } from "../../session/session-store-of.ts";
import styles from "./AccountPage.module.css";
import { AccountForm, AccountPage } from "./AccountPage.tsx";
import { ConfirmAddress } from "./ConfirmAddress.tsx";
import { RequireAccount } from "./RequireAccount.tsx";
import sections from "./settings/AccountSettings.module.css";
import { TextField } from "./TextField.tsx";
import type { FieldOfForm } from "./use-account-form.ts";
import { useAccountForm, useFocusInside } from "./use-account-form.ts";

/** The account's profile. The account settings show it too. */
export function ProfilePage() {
  return (
    <AccountPage title="Profile">
      <RequireAccount>
        {(user) => (
          <>
            {user.confirmed === false && <ConfirmAddress email={user.email} />}
            <OwnProfile key={user.id} user={user} />
            <AccountStatistics user={user} />
          </>
        )}
      </RequireAccount>
    </AccountPage>
  );
}

/** The profile, to view and to edit. */
export function OwnProfile({ user }: { user: User }) {
  const store = useStore();
  const [mode, setMode] = useState<"view" | "edit" | "saved">(keptDraft(user.id) ? "edit" : "view");
  const view = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => void refreshAccount(store), [store]);
  // The pressed button is gone, so the focus must be moved.
  useEffect(() => {
    if (mode !== "edit" && wasEditing.current) view.current?.querySelector("button")?.focus();
    wasEditing.current = mode === "edit";
  }, [mode]);
  if (mode === "edit") return <ProfileForm user={user} onClose={setMode} />;
  return (
    <>
      {mode === "saved" && (
        <Notice tone="success" role="status">
          <p>{ACCOUNT_DONE.profile}</p>
        </Notice>
      )}
      <div ref={view}>
        <ProfileView user={user} onEdit={() => setMode("edit")} />
      </div>
    </>
  );
}

const SHOWN = ["phone", "company", "website", "job_title", "bio"] as const;

/** The profile, read-only. Only the account and staff can see it. */
function ProfileView({ user, onEdit }: { user: User; onEdit: () => void }) {
  const confirmed = user.confirmed ? " (confirmed)" : " (not confirmed)";
  return (
    <div className={styles.form}>
      <p className={styles.muted}>Only you and the registry's staff see your profile.</p>
      <Facts
        facts={[
          ["Name", `${user.first_name} ${user.last_name}`.trim()],
          [
            "Email",
            <>
              {user.email}
              {user.confirmed !== undefined && <span className={styles.muted}>{confirmed}</span>}
            </>,
          ],
          ...SHOWN.map((name) => [PROFILE_FIELDS[name].label, user[name]] as const),
        ]}
      />
      <div className={styles.actions}>
        <Button kind="secondary" onClick={onEdit}>
          Edit Profile
        </Button>
      </div>
    </div>
  );
}

const NAMES = Object.keys(PROFILE_FIELDS) as FieldName[];
const TYPES = { phone: "tel", website: "url" } as const;

type Values = Readonly<Record<FieldName, string>>;

function ProfileForm(props: { user: User; onClose: (mode: "view" | "saved") => void }) {
  const { user, onClose } = props;
  const store = useStore();
  const api = useAccountClient();
  const stored = useMemo(() => valuesOf(user), [user]);
  const kept = keptDraft(user.id);
  const form = useAccountForm<FieldName>({
    initial: { ...stored, ...kept },
    check: (values) => profileProblems(tidied(values)),
    async send(values) {
      const body = editOf(values, stored);
      const { data } = await api.put<{ user: User }>("/api/auth/profile", { body });
      if (!data) throw new ApiError(0, { code: "garbled", explanation: PROFILE_NOT_RETURNED });
      // Only the profile read returns some of the fields.
      const { last_login, reports_count, recovery_codes_left } = user;
      const kept = omitUndefined({ last_login, reports_count, recovery_codes_left });
      store.updateUser({ ...kept, ...data.user });
      keepDraft(null);
      onClose("saved");
    },
    failed: { refused: ACCOUNT_FAILED.profile, unanswered: ACCOUNT_UNANSWERED.profile },
  });
  const isDirty = NAMES.some((name) => form.values[name] !== stored[name]);
  useDraftWhenEnded(user.id, isDirty ? form.values : null);
  useFocusInside(form);
  return (
    <>
      <LeaveGuard active={isDirty && !form.isSending} title="Leave without saving?" />
      {kept && (
        <Notice tone="info">
          <p>This is what you typed before your session ended. It isn't saved yet.</p>
        </Notice>
      )}
      <AccountForm
        form={form}
        submit="Save"
        sending="Saving…"
        onCancel={() => {
          keepDraft(null);
          onClose("view");
        }}
      >
        {NAMES.map((name) => (
          <ProfileField
            key={name}
            row={PROFILE_FIELDS[name]}
            field={form.field(name)}
            {...(name in TYPES ? { type: TYPES[name as keyof typeof TYPES] } : {})}
          />
        ))}
      </AccountForm>
    </>
  );
}

/** Keeps what was typed if the page is left because the session ended. */
function useDraftWhenEnded(userId: string, values: Values | null): void {
  const store = useStore();
  const latest = useRef(values);
  latest.current = values;
  useEffect(
    () => () => {
      const isOver = store.read() === null && store.endedBy() !== "signed_out";
      if (latest.current && isOver) keepDraft({ userId, values: latest.current });
    },
    [store, userId],
  );
}

function valuesOf(user: User): Values {
  return Object.fromEntries(NAMES.map((name) => [name, user[name] ?? ""])) as unknown as Values;
}

function tidied(values: Values): Record<string, string | null> {
  return Object.fromEntries(
    NAMES.map((name) => {
      const value = values[name].trim();
      return [name, value === "" && !("required" in PROFILE_FIELDS[name]) ? null : value];
    }),
  );
}

/** Returns what differs from the stored values; an emptied field is cleared. */
function editOf(values: Values, stored: Values): EditProfile {
  const entries = Object.entries(tidied(values)).filter(
    ([name, value]) => (value ?? "") !== stored[name as FieldName],
  );
  return Object.fromEntries(entries);
}

/** A profile edit that couldn't be sent because the session ended. */
interface Draft {
  readonly userId: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Kept in memory only: personal data isn't written anywhere and is gone with the tab. */
let draft: Draft | null = null;

/** Keeps a draft until its account has signed in again; null discards it. */
function keepDraft(kept: Draft | null): void {
  draft = kept;
}

function keptDraft(userId: string): Readonly<Record<string, string>> | undefined {
  return draft?.userId === userId ? draft.values : undefined;
}

/** A profile field, as its row describes it. */
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

/** The account's number of reports, creation date and last sign-in. */
export function AccountStatistics({ user }: { user: User }) {
  const { last_login, reports_count } = user;
  const id = useId();
  return (
    <section className={sections.section} aria-labelledby={id}>
      <h2 id={id}>Account Statistics</h2>
      <Facts
        facts={[
          ...(reports_count === undefined
            ? []
            : [["Reports", formatCount(reports_count, "report")] as const]),
          ["Member since", formatDate(user.created_at)],
          ...(last_login ? [["Last sign-in", formatDate(last_login)] as const] : []),
        ]}
      />
    </section>
  );
}

function Facts({ facts }: { facts: readonly (readonly [label: string, of: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, of]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{of || <span className={styles.muted}>Not given</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
