import type { FastifyBaseLogger } from "fastify";
import { type Selectable, sql } from "kysely";
import { SIGN_IN_CAUSES } from "#contracts/account/account-words.ts";
import { given } from "#contracts/given.ts";
import type { UserRecord } from "#contracts/http/users.ts";
import { securityMonthsKept } from "#contracts/retention.ts";
import { subjects } from "#contracts/sealed.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { FailedSignInTable } from "#read-model/tables/user.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { failedSignInIndex } from "#vault/sealing/hashes.ts";
import { maskClient } from "../actors/client-masks.ts";

/** Failed sign-ins that the page of a user shows. */
const SHOWN = 20;

type Shown = UserRecord["failed_sign_ins"][number];
type Row = Selectable<FailedSignInTable>;

/**
 * The newest failed sign-ins of an account, as long as the keys of their months exist. Addresses and devices are
 * masked.
 */
export async function failedSignInsOf(
  accountId: string,
  { db, keys }: { readonly db: ReadModelDatabase; readonly keys: KeyStore },
  log: FastifyBaseLogger,
): Promise<Shown[]> {
  const found = await keys.get(securityMonthsKept(new Date()).map(subjects.security));
  const indexes = [...found.values()].flatMap((lookup) =>
    lookup.state === "present" ? [failedSignInIndex(lookup.key, accountId)] : [],
  );
  const { rows } = await sql<Row>`
    select newest.* from unnest(${indexes}::text[]) as month (account_index), lateral (
      select * from users.failed_sign_in f where f.account_index = month.account_index
      order by f.position desc limit ${SHOWN}
    ) newest
    order by newest.position desc limit ${SHOWN}`.execute(db);
  return rows.flatMap((row) => {
    if (!isKnown(row.cause)) return [];
    const { event_id: id, stream, schema_version: schemaVersion, client } = row;
    const metadata = { schemaVersion, ...given({ client: client ?? undefined }) };
    const event = { id, stream, type: "SignInFailed", data: {}, metadata };
    const { user_agent: device, ip_address: network } = maskClient(event, found, log);
    return [{ at: row.at.toISOString(), cause: row.cause, ...given({ device, network }) }];
  });
}

function isKnown(cause: string): cause is Shown["cause"] {
  return Object.hasOwn(SIGN_IN_CAUSES, cause);
}
