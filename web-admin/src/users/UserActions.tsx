import BlockIcon from "@mui/icons-material/Block";
import UnbanIcon from "@mui/icons-material/CheckCircleOutlined";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import EditIcon from "@mui/icons-material/EditOutlined";
import ReopenIcon from "@mui/icons-material/LockOpenOutlined";
import RoleIcon from "@mui/icons-material/ManageAccountsOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useGetIdentity } from "react-admin";
import { size } from "#theme/tokens.ts";
import { userName } from "./labels.ts";
import type { OfUser } from "./UserForms.tsx";
import type { OpenDialog, UserAction } from "./use-user-dialogs.tsx";

const ACTIONS: Readonly<Record<UserAction, { label: string; icon: typeof EditIcon }>> = {
  edit: { label: "Edit", icon: EditIcon },
  role: { label: "Change role", icon: RoleIcon },
  ban: { label: "Ban", icon: BlockIcon },
  unban: { label: "Unban", icon: UnbanIcon },
  delete: { label: "Delete", icon: DeleteIcon },
  reopen: { label: "Open again", icon: ReopenIcon },
};

/** Commands whose buttons take the place of another one. */
const ONE_BUTTON: Partial<Record<UserAction, UserAction>> = { unban: "ban", reopen: "delete" };

/** What the server would not refuse of this account. */
function actionsFor(
  { status, reopenable, waiting }: OfUser["user"],
  isOwn: boolean,
): readonly UserAction[] {
  if (waiting) return [status === "banned" ? "unban" : "ban", "delete"];
  if (status === "deactivated") return reopenable ? ["reopen"] : [];
  if (isOwn) return ["edit"];
  return ["edit", "role", status === "banned" ? "unban" : "ban", "delete"];
}

export interface UserActionsProps {
  readonly user: OfUser["user"];
  readonly onOpen: OpenDialog;
  /** With words, for the account's page; a list's row has symbols. */
  readonly asButtons?: boolean;
}

/** The commands about an account, each with a dialog that asks first. */
export function UserActions({ user, onOpen, asButtons = false }: UserActionsProps) {
  const { identity } = useGetIdentity();
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        gap: asButtons ? 1 : 0,
        ...(asButtons ? {} : { mx: -1 }),
      }}
    >
      {actionsFor(user, identity?.id === user.id).map((action) => {
        const { label, icon: Icon } = ACTIONS[action];
        // One button for a command and its reverse, so that the keyboard finds it again after the dialog.
        const key = ONE_BUTTON[action] ?? action;
        if (asButtons)
          return (
            <Button
              key={key}
              variant="outlined"
              startIcon={<Icon />}
              onClick={() => onOpen(action, user)}
            >
              {label}
            </Button>
          );
        return (
          <Tooltip key={key} title={label}>
            <IconButton
              aria-label={`${label}: ${userName(user)}`}
              onClick={() => onOpen(action, user)}
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
