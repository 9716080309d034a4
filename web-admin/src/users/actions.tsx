import BlockIcon from "@mui/icons-material/Block";
import UnbanIcon from "@mui/icons-material/CheckCircleOutlined";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import EditIcon from "@mui/icons-material/EditOutlined";
import ReopenIcon from "@mui/icons-material/LockOpenOutlined";
import FactorIcon from "@mui/icons-material/LockResetOutlined";
import RoleIcon from "@mui/icons-material/ManageAccountsOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { type ReactElement, useState } from "react";
import { useGetIdentity } from "react-admin";
import type { ListedUser, UserRecord } from "#contracts/http/users.ts";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { standingText, statusWord, type UserAction, userName } from "./labels.ts";
import { UserDialog } from "./UserDialog.tsx";

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

/** Commands whose buttons take the place of another one. */
const ONE_BUTTON: Partial<Record<RowAction, RowAction>> = { unban: "ban", reopen: "delete" };

/** What the server would not refuse of this account. Owners turn their second factor off on the site. */
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
 * The dialog of one command about an account. It keeps the account as it was when it was opened, so that what
 * someone else changes is noticed, and outlives the row that opened it.
 */
export function useUserDialogs(): {
  readonly open: OpenDialog;
  /** To be rendered outside of the rows. */
  readonly dialog: ReactElement | null;
} {
  const [opened, setOpened] = useState<{ action: RowAction; user: ListedUser }>();
  return {
    open: (action, user) => setOpened({ action, user }),
    dialog: opened ? <UserDialog {...opened} onClose={() => setOpened(undefined)} /> : null,
  };
}

/** The commands about an account, each with a dialog that asks first. */
export function UserActions(props: {
  readonly user: ListedUser & Partial<UserRecord>;
  readonly onOpen: OpenDialog;
  /** With words, for the account's page; a list's row has symbols. */
  readonly asButtons?: boolean;
}) {
  const { user, onOpen, asButtons = false } = props;
  const { identity } = useGetIdentity();
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", ...(asButtons ? { gap: 1 } : { mx: -1 }) }}>
      {actionsFor(user, !identity || identity.id === user.id).map((action) => {
        const { label, icon: Icon } = ACTIONS[action];
        // One button for a command and its reverse, so that the keyboard finds it again after the dialog.
        const key = ONE_BUTTON[action] ?? action;
        const onClick = () => onOpen(action, user);
        if (asButtons)
          return (
            <Button key={key} variant="outlined" startIcon={<Icon />} onClick={onClick}>
              {label}
            </Button>
          );
        return (
          <Tooltip key={key} title={label}>
            <IconButton
              aria-label={`${label}: ${userName(user)}`}
              onClick={onClick}
              sx={{ width: { xs: size.target, lg: 36 }, height: { xs: size.target, lg: 36 } }}
            >
              <Icon fontSize="small" />
            </IconButton>
          </Tooltip>
        );
      })}
    </Box>
  );
}

/** How an account stands. Only what keeps someone out stands out. */
export function UserStatusChip({ user }: { readonly user: ListedUser }) {
  const { status } = user;
  const look =
    status === "banned"
      ? { bgcolor: color.warningTint, borderColor: color.warningLine, color: color.warning }
      : { bgcolor: color.paper, borderColor: color.lineStrong, color: color.ink };
  return (
    <Chip
      variant="outlined"
      label={statusWord(status)}
      title={standingText(user)}
      sx={{ ...look, fontWeight: 600 }}
    />
  );
}
