/** Roles that a caller can have; a `visitor` sends no token. */
export const ROLES = ["visitor", "user", "admin", "auditor"] as const;
export type CallerRole = (typeof ROLES)[number];

/** Roles of those who have an account. */
export const SIGNED_IN = ["user", "admin", "auditor"] as const satisfies readonly CallerRole[];

/** Roles of those who may submit a report: an auditor changes nothing. */
export const REPORTERS = ["visitor", "user", "admin"] as const satisfies readonly CallerRole[];

/** Roles of those who may own a report. */
export const OWNERS = ["user", "admin"] as const satisfies readonly CallerRole[];

/** Who sends a request: `id` is the account's id, or `visitor`. */
export interface Actor {
  readonly id: string;
  readonly role: CallerRole;
  /** The session that an account's access token names. */
  readonly sessionId?: string;
  /** Whether the account's password was shown in this session a short while ago. */
  readonly proved?: boolean;
  /** Staff whose account has no second factor, as far as this service may know. */
  readonly lacksFactor?: boolean;
  /** Staff who have to set up a second factor first. */
  readonly needsFactor?: boolean;
}

const STAFF: readonly CallerRole[] = ["admin", "auditor"];

/** Whether staff alone may call a route with these roles. */
export function isForStaff(roles: readonly CallerRole[]): boolean {
  return roles.length > 0 && roles.every((role) => STAFF.includes(role));
}

export const VISITOR: Actor = { id: "visitor", role: "visitor" };
