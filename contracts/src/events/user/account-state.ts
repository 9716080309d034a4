import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import type { OneTimeLink } from "../one-time-link.ts";

/** An account's profile. Names are empty after a confirmation that dropped them. */
export interface AccountProfile {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone?: string;
  readonly company?: string;
  readonly website?: string;
  readonly job_title?: string;
  readonly bio?: string;
}

/** Sessions with a lower `account_revision` were ended at this revision, except `kept`. */
export interface SessionsEnd {
  readonly revision: number;
  readonly kept?: string;
}

/** The second factor and its recovery codes. */
export interface SecondFactor {
  readonly factorId: string;
  readonly codesId: string;
  readonly codes: number;
  /** Numbers of the used codes. */
  readonly used: readonly number[];
  /** Revision at which it was last set up or got new codes. */
  readonly since: number;
}

/** An address change that can be undone. */
export interface Undo {
  readonly link: OneTimeLink;
  /** Null once the account's key is destroyed. */
  readonly formerEmail: string | null;
  /** Revision of the change. */
  readonly revision: number;
  /** Notification settings before the change. */
  readonly notifications: Notifications;
}

export interface Notifications {
  readonly decisions: boolean;
  readonly same_person: boolean;
  readonly weekly_summary: boolean;
}

/** A ban that applies until staff lift it or it expires. */
export interface Ban {
  /** RFC 3339; absent if permanent. */
  readonly until?: string;
  /** Null once the account's key is destroyed. */
  readonly reason: string | null;
  /** The rule that triggered it; absent if it was decided by hand. */
  readonly code?: string;
}

/** How an account ended. */
export type AccountEnd = "replaced" | "expired" | "erased";

/** State of an account, from its events. Its credentials are in `command.account`. */
export interface AccountState {
  readonly role: "user" | "admin" | "auditor";
  /** Whether it is a staff account, or was one while someone could act with it; see {@link isKept}. */
  readonly wasStaff: boolean;
  /** Revision of the last event. */
  readonly revision: number;
  /** Revision of the last event that changed what staff see of it; see `CHANGES_FACTS`. */
  readonly factsRevision: number;
  /** Null once the account has ended, or its key is destroyed. */
  readonly profile: AccountProfile | null;
  /** Whether someone proved to own the address, or the operator vouched for it. */
  readonly confirmed: boolean;
  /** Confirmed addresses from before address changes, each once. May include the current one. */
  readonly formerEmails: readonly string[];
  /** How the account ended, according to the log. A key may be destroyed earlier. */
  readonly over: AccountEnd | undefined;
  /** The account that registered the address again. Does not count if it was never created or is older. */
  readonly replacedBy?: string;
  /** Set while the account is closed. `eraseAt` is absent if it will not be erased. */
  readonly closed?: { readonly byOwner: boolean; readonly eraseAt?: string };
  readonly banned?: Ban;
  /** For an invited account that no one confirmed: the only link that confirms it. */
  readonly invitation?: OneTimeLink;
  /** Oldest first. */
  readonly ends: readonly SessionsEnd[];
  /* Unopened links of each kind, oldest first, including expired ones. */
  readonly deviceConfirmations: readonly OneTimeLink[];
  /** Links that confirm the address. Those of a replaced account are valid for its successor. */
  readonly emailConfirmations: readonly OneTimeLink[];
  readonly passwordResets: readonly (OneTimeLink & {
    readonly delivery: "mail" | "answer";
    readonly device: "known" | "unknown";
  })[];
  readonly emailChange?: { readonly link: OneTimeLink; readonly email: string | null };
  readonly undos: readonly Undo[];
  /** Until then, further attempts to register the address are not reported to its owner. */
  readonly quietUntil?: string;
  readonly secondFactor?: SecondFactor;
  readonly notifications: Notifications;
}

/** Whether histories may name the account as staff. An account that no one confirmed never acted. */
export function isKept({ wasStaff, confirmed }: AccountState): boolean {
  return wasStaff && confirmed;
}

/** Events that end an account and destroy its key; `AccountErased` also ends the keys of its reports' reporters. */
export const ACCOUNT_ENDS: readonly string[] = [
  "AccountReplaced",
  "AccountExpired",
  "AccountErased",
];

/** A non-empty text. */
export const Text = Type.String({ minLength: 1 });
export const Address = Type.String({ minLength: 3 });
export const Id = Type.String({ format: "uuid" });

/** Keyed hash of an account's address, computed like the reporter's in `ReportSubmitted`. */
export const AccountBlind = strict({ email: Text });
