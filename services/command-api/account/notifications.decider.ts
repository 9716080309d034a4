import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { Notifications } from "#contracts/events/user/account-state.ts";
import type { Moment } from "../kernel/command.ts";
import type { AccountCommand } from "./account.commands.ts";
import { isShut } from "./taken-back.ts";

/** The settings that are different afterwards. An account that cannot be taken back has none to set. */
export function setNotifications(
  state: AccountState | undefined,
  { own, email, set }: Extract<AccountCommand, { type: "SetNotifications" }>,
  { now }: Moment,
): UserEvent[] {
  if (!state?.profile || isShut(state, now)) return [];
  if (!own && state.profile.email !== email) return [];
  const { notifications } = state;
  const changed = (Object.keys(notifications) as (keyof Notifications)[]).filter(
    (name) => set[name] !== undefined && set[name] !== notifications[name],
  );
  if (changed.length === 0) return [];
  const by = own ? "owner" : "unsubscribe_link";
  const values = Object.fromEntries(changed.map((name) => [name, set[name]]));
  return [{ type: "NotificationsSet", data: { by, ...values } }];
}
