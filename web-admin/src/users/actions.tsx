import BlockIcon from "@mui/icons-material/Block";
import UnbanIcon from "@mui/icons-material/CheckCircleOutlined";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import EditIcon from "@mui/icons-material/EditOutlined";
import ReopenIcon from "@mui/icons-material/LockOpenOutlined";
import FactorIcon from "@mui/icons-material/LockResetOutlined";
import RoleIcon from "@mui/icons-material/ManageAccountsOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useGetIdentity } from "react-admin";
import {
  BAN_REASON_LENGTH,
  USER_ROLES,
  USER_STATUSES,
} from "#contracts/account/account-messages.ts";
import { INVITATION_DAYS } from "#contracts/account/deadlines.ts";
import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { ListedUser, UserRecord } from "#contracts/http/users.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { AskDialog, type Typed } from "../shared/AskDialog.tsx";
import { actionText } from "../shared/action-labels.ts";
import type { FormField } from "../shared/fields.tsx";
import { formatInstant } from "../shared/formats.ts";
import { RowButton, StatusChip } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";
import { useSending } from "../shared/use-sending.ts";
import {
  addressOf,
  BAN_ENDS,
  type BanEnd,
  banUntil,
  differences,
  failureSentence,
  statusText,
  type UserAction,
  userName,
} from "./labels.ts";

const ACTIONS: Readonly<
  Record<Exclude<UserAction, "invite">, { label: string; icon: typeof EditIcon }>
> = {
  edit: { label: "Edit", icon: EditIcon },
  role: { label: "Change role", icon: RoleIcon },
  ban: { label: "Ban", icon: BlockIcon },
  unban: { label: "Unban", icon: UnbanIcon },
  delete: { label: "Delete", icon: DeleteIcon },
  reopen: { label: "Reopen", icon: ReopenIcon },
  factor: { label: "Reset second factor", icon: FactorIcon },
};
type RowAction = keyof typeof ACTIONS;

/** Commands whose button replaces another one's. */
const ONE_BUTTON: Partial<Record<RowAction, RowAction>> = { unban: "ban", reopen: "delete" };

/** The commands that the server would allow for this account. Owners turn off their second factor on the site. */
function actionsFor(
  { status, reopenable, waiting, two_factor }: ListedUser & Partial<UserRecord>,
  isOwn: boolean,
): readonly RowAction[] {
  const factor = two_factor ? (["factor"] as const) : [];
  if (waiting) return [status === "banned" ? "unban" : "ban", "delete", ...factor];
  if (status === "deactivated") return reopenable ? ["reopen"] : [];
  if (isOwn) return ["edit"];
  return ["edit", "role", status === "banned" ? "unban" : "ban", "delete", ...factor];
}

export type OpenDialog = (action: RowAction, user: ListedUser) => void;

/**
 * The dialog of one command about an account. It keeps the account as it was when opened, so that changes by others
 * are detected, and it outlives the row that opened it.
 */
export function useUserDialogs() {
  const [opened, setOpened] = useState<{ action: RowAction; user: ListedUser }>();
  return {
    open: (action: RowAction, user: ListedUser) => setOpened({ action, user }),
    /** To be rendered outside the rows. */
    dialog: opened && <UserDialog {...opened} onClose={() => setOpened(undefined)} />,
  };
}

/** The commands about an account, each with a confirmation dialog. */
export function UserActions(props: {
  readonly user: ListedUser & Partial<UserRecord>;
  readonly onOpen: OpenDialog;
  /** Whether to show labeled buttons, for the account's page; rows of a list show icons. */
  readonly asButtons?: boolean;
}) {
  const { user, onOpen, asButtons = false } = props;
  const { identity } = useGetIdentity();
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", ...(asButtons ? { gap: 1 } : { mx: -1 }) }}>
      {actionsFor(user, !identity || identity.id === user.id).map((action) => {
        const { label, icon: Icon } = ACTIONS[action];
        // A command and its reverse share a button, so that the focus can return to it after the dialog.
        const key = ONE_BUTTON[action] ?? action;
        const onClick = () => onOpen(action, user);
        if (asButtons)
          return (
            <Button key={key} variant="outlined" startIcon={<Icon />} onClick={onClick}>
              {label}
            </Button>
          );
        const name = `${label}: ${userName(user)}`;
        return <RowButton key={key} label={name} tip={label} icon={Icon} onClick={onClick} />;
      })}
    </Box>
  );
}

/** The status of an account. Only bans are highlighted. */
export function UserStatusChip({ user }: { readonly user: ListedUser }) {
  const { status } = user;
  return (
    <span title={statusText(user)}>
      <StatusChip status={status === "banned" ? status : ""} label={USER_STATUSES[status]} />
    </span>
  );
}

interface UserField extends FormField {
  readonly isShown?: (now: Typed, user: ListedUser | undefined) => boolean;
}

interface DialogRow {
  readonly title: (name: string) => string;
  readonly consequence: string | ((user: ListedUser) => string);
  readonly confirm: string;
  readonly isGrave?: true;
  readonly fields?: readonly UserField[];
  readonly values?: (user: ListedUser) => Typed;
  /** Builds the request body if it is not just what was typed. */
  readonly body?: (typed: Typed) => object;
}

const named = (source: "first_name" | "last_name"): UserField => {
  const { label, max } = PROFILE_FIELDS[source];
  return { source, label, max, needs: `${label} is a required field` };
};
const PHONE: UserField = { source: "phone", ...PROFILE_FIELDS.phone };
const ROLE: UserField = { source: "role", label: "Role", choices: USER_ROLES };

const DIALOGS: Readonly<Record<UserAction, DialogRow>> = {
  invite: {
    title: () => "Add user",
    consequence: `We'll email a link to this address. Its owner has ${INVITATION_DAYS} days to open it and set a password.`,
    confirm: "Add user",
    fields: [
      named("first_name"),
      named("last_name"),
      {
        source: "email",
        label: "Email",
        max: 254,
        type: "email",
        needs: "Email is a required field",
      },
      PHONE,
      ROLE,
    ],
  },
  edit: {
    title: (name) => `Edit ${name}`,
    consequence: "The owner sees the change in their profile. Email and password stay theirs.",
    confirm: "Save",
    fields: [
      named("first_name"),
      named("last_name"),
      { ...PHONE, help: "Leave blank to keep the current phone number" },
    ],
    values: ({ first_name, last_name }) => ({ first_name, last_name }),
  },
  role: {
    title: (name) => `Role of ${name}`,
    consequence: ({ role }) =>
      `The current role is ${USER_ROLES[role]}. A new one signs the account out everywhere, and we'll email all admins.`,
    confirm: "Change role",
    isGrave: true,
    fields: [ROLE],
    values: ({ role }) => ({ role }),
  },
  ban: {
    title: (name) => `Ban ${name}?`,
    consequence:
      "Signs the account out everywhere and blocks sign-in. We'll email the owner the reason and the end, and show both at sign-in. Pending reports leave the queue; published ones stay.",
    confirm: "Ban",
    isGrave: true,
    fields: [
      {
        source: "reason",
        label: "Reason",
        max: BAN_REASON_LENGTH,
        isLong: true,
        help: (typed) => `${typed.length} of ${BAN_REASON_LENGTH} characters`,
        needs: "Enter a reason",
      },
      { source: "end", label: "Duration", choices: BAN_ENDS },
      {
        source: "until",
        label: "Last day of the ban",
        type: "date",
        needs: "Choose a date",
        isShown: ({ end }) => end === "date",
      },
    ],
    values: () => ({ end: "30" satisfies BanEnd }),
    body: ({ reason, end, until = "" }) => {
      const ends = banUntil(end as BanEnd, until, new Date());
      return { reason, ...(ends ? { until: ends } : {}) };
    },
  },
  unban: {
    title: (name) => `Unban ${name}?`,
    consequence:
      "The owner can sign in again with the same password, and we'll email them. An unconfirmed address stays unconfirmed.",
    confirm: "Unban",
  },
  reopen: {
    title: (name) => `Reopen ${name}'s account?`,
    consequence:
      "The owner can sign in again with the same password and second factor, as a user: give a staff role separately. We'll email the owner and all admins. Any existing ban stays in force.",
    confirm: "Reopen",
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    consequence:
      "The owner is signed out and can't sign in again. The account is erased within two hours; its reports stay published, without the name. Staff accounts are kept because the history refers to them, and can be reopened.",
    confirm: "Delete",
    isGrave: true,
  },
  factor: {
    title: (name) => `Reset ${name}'s second factor?`,
    consequence:
      "For an owner who lost both device and recovery codes. It turns off immediately and signs the account out everywhere. We'll email the owner and all admins.",
    confirm: "Reset",
    isGrave: true,
    fields: [
      {
        source: "reason",
        label: "Reason",
        max: 1000,
        isLong: true,
        help: "Why, and how you verified the requester's identity. All admins can read it.",
        needs: "Enter why, and how you verified the requester's identity",
      },
      {
        source: "code",
        label: "Your own code",
        max: 40,
        help: "From your authenticator app, or a recovery code",
        needs: "Enter the 6-digit code or a recovery code",
        like: /.{6}/,
        isShown: (_values, user) => user?.role === "admin",
      },
    ],
  },
};

interface UserDialogProps {
  readonly action: UserAction;
  /** The account as of opening the dialog; absent for a new one. */
  readonly user?: ListedUser;
  readonly onClose: () => void;
}

/**
 * Explains what a command about an account does, asks for what it needs, and sends it. If someone else changed the
 * account first, nothing is overwritten: their changes are shown, and the next attempt is based on the new state.
 */
export function UserDialog({ action, user, onClose }: UserDialogProps) {
  const { title, consequence, confirm, isGrave, fields = [], values, body } = DIALOGS[action];
  const provider = useProvider();
  const [latest, setLatest] = useState(user);
  const [changes, setChanges] = useState<readonly string[]>([]);
  const { path, method } = addressOf(action, user?.id);
  const { mutate, isPending, error } = useSending(
    (_, typed: object) => {
      const sent = latest && action !== "factor" ? { ...typed, revision: latest.revision } : typed;
      return provider.command(path, sent, method);
    },
    {
      again: ["users", "audit-logs"],
      tells: "success",
      onDone: onClose,
      refetchFirst: true,
      onRefused: look,
    },
  );
  async function look(refused: unknown): Promise<void> {
    setChanges([]);
    if (!latest || !(refused instanceof ApiError) || refused.code !== "account_changed") return;
    try {
      const { data: now } = await provider.getOne<ListedUser>("users", { id: latest.id });
      const last = await lastChange(provider, latest.id);
      // Only build on a change once it is shown.
      setLatest(now);
      setChanges([last, ...differences(latest, now)].filter(Boolean));
    } catch {
      // The rejection's message is enough.
    }
  }
  return (
    <AskDialog
      title={title(user ? userName(user) : "")}
      consequence={
        typeof consequence === "string" ? consequence : user ? consequence(user) : undefined
      }
      confirm={confirm}
      isFinal={isGrave ?? false}
      running={isPending}
      failure={
        error && (
          <>
            {failureSentence(action, error)}
            {changes.length > 0 && (
              <Box component="ul" sx={{ listStyle: "disc", mt: 1, pl: 2 }}>
                {changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </Box>
            )}
          </>
        )
      }
      fields={(now) => fields.filter(({ isShown }) => !isShown || isShown(now, user))}
      values={{ role: "user", ...(user && values?.(user)) }}
      onSend={(typed, refuse) => {
        if (action === "role" && typed.role === user?.role) return onClose();
        mutate(body?.(typed) ?? typed, {
          onError: (refused) => refused instanceof ApiError && refuse(refused.fields),
        });
      }}
      onClose={onClose}
    />
  );
}

async function lastChange(provider: ConsoleDataProvider, id: string): Promise<string> {
  const { data } = await provider.getList<AuditEntry>("audit-logs", {
    pagination: { page: 1, perPage: 1 },
    sort: { field: "timestamp", order: "DESC" },
    filter: { search: `user-${id}` },
  });
  const [last] = data;
  return last ? `${last.user}: ${actionText(last.action)}, ${formatInstant(last.timestamp)}` : "";
}
