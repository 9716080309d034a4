import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Days after its confirmation from which an account can be in good standing. */
export const GOOD_STANDING_DAYS = 30;

/**
 * SQL of whether `accounts.account as a` is in good standing: confirmed for a while, with a report of its
 * own that moderators have approved. That cannot be had in an afternoon for many accounts.
 */
export function isInGoodStanding(now: Date) {
  const since = new Date(now.getTime() - GOOD_STANDING_DAYS * 24 * 3_600_000);
  return sql<boolean>`(
    coalesce(a.confirmed_at <= ${since}::timestamptz, false) and exists (
      select from reports.report r
      where r.owner_id = a.id and r.owned_since > a.owns_after and r.status = 'approved'
    )
  )`;
}

/** What decides how often an account may search by email and phone. */
export interface Standing {
  readonly confirmed: boolean;
  /** Whether it is in good standing. */
  readonly trusted: boolean;
}

/** Finds the standing of an active account. */
export const standings = (db: ReadModelDatabase) => (account: string) =>
  db
    .selectFrom("accounts.account as a")
    .select(["a.confirmed", isInGoodStanding(new Date()).as("trusted")])
    .where("a.id", "=", account)
    .where("a.status", "=", "active")
    .executeTakeFirst() satisfies Promise<Standing | undefined>;
