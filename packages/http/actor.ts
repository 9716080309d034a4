/** Roles that a caller can have; a `visitor` sends no token. */
export const ROLES = ["visitor", "user", "admin", "auditor"] as const;
export type CallerRole = (typeof ROLES)[number];

/** Roles that have an account. */
export const SIGNED_IN = ["user", "admin", "auditor"] as const satisfies readonly CallerRole[];

/** Roles that may submit a report. Auditors are read-only. */
export const REPORTERS = ["visitor", "user", "admin"] as const satisfies readonly CallerRole[];

/** Roles that may own a report. */
export const OWNERS = ["user", "admin"] as const satisfies readonly CallerRole[];

/** The sender of a request. `id` is the account's ID, or `visitor`. */
export interface Actor {
  readonly id: string;
  readonly role: CallerRole;
  /** The session that an account's access token names. */
  readonly sessionId?: string;
  /** Whether the password was entered in this session within the last fifteen minutes. */
  readonly proved?: boolean;
  /** Whether this is staff without a second factor, as far as this service can know. */
  readonly lacksFactor?: boolean;
  /** Whether this is staff who must set up a second factor first. */
  readonly needsFactor?: boolean;
}

const STAFF: readonly CallerRole[] = ["admin", "auditor"];

/** Whether only staff may call a route with these roles. */
export function isForStaff(roles: readonly CallerRole[]): boolean {
  return roles.length > 0 && roles.every((role) => STAFF.includes(role));
}

export const VISITOR: Actor = { id: "visitor", role: "visitor" };
