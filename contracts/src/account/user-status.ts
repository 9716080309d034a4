/** How an account stands, as staff see it, each with its word. */
export const USER_STATUSES = {
  active: "Active",
  pending: "Pending",
  banned: "Banned",
  deactivated: "Deactivated",
} as const;
export type UserStatus = keyof typeof USER_STATUSES;

/** Words for the roles of accounts. */
export const USER_ROLES = { user: "User", admin: "Admin", auditor: "Auditor" } as const;

/** Most characters of the reason of a ban. */
export const BAN_REASON_LENGTH = 500;
/** How many users a page of the list has. */
export const USER_PAGE_SIZES = [5, 10, 25] as const;

/**
 * `pending`: its address is not confirmed. `deactivated`: closed by its owner or by staff; one that its owner could
 * take back is `banned` where staff banned it.
 */
export function userStatus({
  closed,
  banned,
  confirmed,
}: {
  readonly closed?: { readonly byOwner: boolean } | undefined;
  readonly banned?: unknown;
  readonly confirmed: boolean;
}): UserStatus {
  if (closed && !(banned && closed.byOwner)) return "deactivated";
  if (banned) return "banned";
  return confirmed ? "active" : "pending";
}
