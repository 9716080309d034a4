import type { ReadModelDatabase } from "#read-model/database.ts";
import { blindEmails, mayName } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { openPart } from "../profile/profile.queries.ts";
import type { ModeratorReportRow } from "../reports/reports.queries.ts";

interface Deps {
  readonly db: ReadModelDatabase;
  readonly keys: Pick<KeyStore, "get">;
  readonly blind: BlindIndexer;
}

/** Columns that decide whether a report concerns someone. */
export const CONCERNS = ["owner_id", "first_name", "last_name", "blind"] as const;
type Concerning = Pick<ModeratorReportRow, (typeof CONCERNS)[number]>;
export type Concerns = (row: Concerning) => boolean;

/** Returns which reports concern an account, so that the console disables its actions. The command side enforces it. */
export async function concernsOf(accountId: string, { db, keys, blind }: Deps): Promise<Concerns> {
  const row = await db
    .selectFrom("accounts.account")
    .select(["confirmed", "profile", "address", "former_addresses"])
    .where("id", "=", accountId)
    .executeTakeFirst();
  // An unconfirmed address may be anyone's.
  const addresses = [...(row?.former_addresses ?? []), ...(row?.confirmed ? [row.address] : [])];
  const parts = [row?.profile, ...addresses].flatMap((part) => (part ? [part] : []));
  const subjects = new Set(parts.map(({ account }) => account.key));
  const found = subjects.size > 0 ? await keys.get([...subjects]) : new Map();
  const { first_name = "", last_name = "" } = openPart(accountId, row?.profile ?? null, found);
  const known = addresses.flatMap((part) => openPart(accountId, part, found).email ?? []);
  const person = { first_name, last_name, emails: blindEmails(known, blind) };
  return (report) => report.owner_id === accountId || mayName(report, person);
}
