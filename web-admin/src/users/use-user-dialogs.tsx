import { type ComponentType, type ReactElement, useState } from "react";
import { BanDialog, DeleteDialog, ReopenDialog, UnbanDialog } from "./StandingDialogs.tsx";
import { EditUserDialog, type OfUser, RoleDialog } from "./UserForms.tsx";

export type UserAction = "edit" | "role" | "ban" | "unban" | "delete" | "reopen";
export type OpenDialog = (action: UserAction, user: OfUser["user"]) => void;

const DIALOGS: Readonly<Record<UserAction, ComponentType<OfUser>>> = {
  edit: EditUserDialog,
  role: RoleDialog,
  ban: BanDialog,
  unban: UnbanDialog,
  delete: DeleteDialog,
  reopen: ReopenDialog,
};

/**
 * The dialog of one command about an account. It keeps the account as it was when it was opened, so that what
 * somebody else changes meanwhile is noticed, and outlives the row that opened it.
 */
export function useUserDialogs(): {
  readonly open: OpenDialog;
  /** To be rendered outside of the rows. */
  readonly dialog: ReactElement | null;
} {
  const [opened, setOpened] = useState<{ action: UserAction; user: OfUser["user"] }>();
  const Dialog = opened && DIALOGS[opened.action];
  return {
    open: (action, user) => setOpened({ action, user }),
    dialog: Dialog ? <Dialog user={opened.user} onClose={() => setOpened(undefined)} /> : null,
  };
}
