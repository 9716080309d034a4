import { type Selectable, sql } from "kysely";
import { streams } from "#contracts/events/index.ts";
import type { AccountProfile } from "#contracts/events/user/account-state.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AccountTable, SealedAccountPart } from "#read-model/tables/account.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";

/** An account, with the number of its own reports, excluding deleted ones. */
export type ProfileRow = Selectable<AccountTable> & {
  readonly reports_count: number;
  readonly in_good_standing: boolean;
};

/** @returns undefined before the projector has processed the account. */
export async function findProfile(
  db: ReadModelDatabase,
  id: string,
  now: Date,
): Promise<ProfileRow | undefined> {
  return await db
    .selectFrom("accounts.account as a")
    .selectAll("a")
    .select((from) =>
      from
        .selectFrom("reports.report as r")
        .select((report) => report.fn.countAll<number>().as("count"))
        .whereRef("r.owner_id", "=", "a.id")
        .whereRef("r.owned_since", ">", "a.owns_after")
        .$asScalar()
        .$notNull()
        .as("reports_count"),
    )
    .select(isInGoodStanding(now).as("in_good_standing"))
    .where("a.id", "=", id)
    .executeTakeFirst();
}

/** @returns undefined before the projector has processed the account. */
export async function findPreferences(db: ReadModelDatabase, id: string) {
  return await db
    .selectFrom("accounts.account")
    .select(["notifications as preferences", "confirmed"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Decrypts a part of an account; empty without a part, and once the key is destroyed. */
export function openPart(
  accountId: string,
  part: SealedAccountPart | null,
  keys: KeyLookups,
): Partial<AccountProfile> {
  if (!part) return {};
  const { event_id: id, event_type: type, schema_version: schemaVersion, account } = part;
  const sealed = { id, stream: streams.user(accountId), type, data: { account: { ...account } } };
  const { data } = registryCodec.openEvent({ ...sealed, metadata: { schemaVersion } }, keys);
  return (data as { readonly account?: Partial<AccountProfile> | null }).account ?? {};
}

/** Days after confirmation from which an account can be in good standing. */
const GOOD_STANDING_DAYS = 30;

/** SQL for whether `accounts.account as a` is in good standing, which can't be gained quickly for many accounts. */
function isInGoodStanding(now: Date) {
  const since = new Date(now.getTime() - GOOD_STANDING_DAYS * 24 * 3_600_000);
  return sql<boolean>`(
    coalesce(a.confirmed_at <= ${since}::timestamptz, false) and exists (
      select from reports.report r
      where r.owner_id = a.id and r.owned_since > a.owns_after and r.status = 'approved'
    )
  )`;
}

/** Decides how often an account may search by email and phone. */
export interface SearchAllowance {
  readonly confirmed: boolean;
  readonly trusted: boolean;
}

/** Returns a function that finds the search allowance of an active account. */
export const findSearchAllowance = (db: ReadModelDatabase) => (account: string) =>
  db
    .selectFrom("accounts.account as a")
    .select(["a.confirmed", isInGoodStanding(new Date()).as("trusted")])
    .where("a.id", "=", account)
    .where("a.status", "=", "active")
    .executeTakeFirst() satisfies Promise<SearchAllowance | undefined>;
