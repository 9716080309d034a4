import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import type { OneTimeLink } from "../one-time-link.ts";

/** What an account tells about itself; without names after a confirmation that dropped them. */
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

/** The second factor, and which recovery codes are left. */
export interface SecondFactor {
  readonly factorId: string;
  readonly codesId: string;
  readonly codes: number;
  /** Numbers of the used codes. */
  readonly used: readonly number[];
  /** Revision at which it was last set up or got new codes. */
  readonly since: number;
}

/** A change of address that can be undone. */
export interface Undo {
  readonly link: OneTimeLink;
  /** Null once the account's key is destroyed. */
  readonly formerEmail: string | null;
  /** Revision of the change. */
  readonly revision: number;
  /** The settings before it. */
  readonly notifications: Notifications;
}

export interface Notifications {
  readonly decisions: boolean;
  readonly same_person: boolean;
  readonly weekly_summary: boolean;
}

/** A ban that is in force until staff or its end lift it. */
export interface Ban {
  /** Absent when it has no end, RFC 3339. */
  readonly until?: string;
  /** Null once the account's key is destroyed. */
  readonly reason: string | null;
  /** The rule that asked for it; absent where it was decided by hand. */
  readonly code?: string;
}

/** How an account ended. */
export type AccountEnd = "replaced" | "expired" | "erased";

/** What an account's history says of it. Its credentials are in `command.account`. */
export interface AccountState {
  readonly role: "user" | "admin" | "auditor";
  /** Whether it is an account of staff, or was one while someone could act by it; see {@link isKept}. */
  readonly wasStaff: boolean;
  /** Revision of the last event. */
  readonly revision: number;
  /** Revision of the last event that changed what staff see of it; see `CHANGES_FACTS`. */
  readonly factsRevision: number;
  /** Null once the account has ended, or its key is destroyed. */
  readonly profile: AccountProfile | null;
  /** Whether someone proved that the address is the account's. The operator's word is enough. */
  readonly confirmed: boolean;
  /** The confirmed addresses that it had before a change of address, each once. The present one may be among them. */
  readonly formerEmails: readonly string[];
  /** Whether the log says so: a key may be destroyed before. */
  readonly over: AccountEnd | undefined;
  /** The account that registered the address again; one that never came, or is older, is not it. */
  readonly replacedBy?: string;
  /** Present when the account is closed, with the time at which it is erased, if it is. */
  readonly closed?: { readonly byOwner: boolean; readonly eraseAt?: string };
  readonly banned?: Ban;
  /** Of an account that staff made and no one confirmed: its link, by which alone it is confirmed. */
  readonly invitation?: OneTimeLink;
  /** Oldest first. */
  readonly ends: readonly SessionsEnd[];
  /* Links of each kind that no one opened, oldest first, expired ones included. */
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

/** Whether histories may name the account as staff. One that no one confirmed never acted. */
export function isKept({ wasStaff, confirmed }: AccountState): boolean {
  return wasStaff && confirmed;
}

/** Events that end an account and destroy its key; `AccountErased` also ends the keys of its reports' reporters. */
export const ACCOUNT_ENDS: readonly string[] = [
  "AccountReplaced",
  "AccountExpired",
  "AccountErased",
];

/** A text that is not empty. */
export const Text = Type.String({ minLength: 1 });
export const Address = Type.String({ minLength: 3 });
export const Id = Type.String({ format: "uuid" });

/** Keyed hash of an account's address, computed as for the reporter's in `ReportSubmitted`. */
export const AccountBlind = strict({ email: Text });
