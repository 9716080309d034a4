import type pg from "pg";
import { securityMonthsKept } from "#contracts/retention.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { FailedSignInTable } from "#read-model/tables/user.ts";
import { failedSignInIndex } from "#vault/sealing/hashes.ts";
import type { ReadModel } from "../../keyed/read-model.ts";

/** A row of `users.failed_sign_in` as JSON. */
export interface FailedSignInRow extends Omit<FailedSignInTable, "at" | "client"> {
  at: string;
  client: Sealed | null;
}

/** The sign-ins that failed, of accounts that exist. An address that nobody has is on no page. */
export const failedSignIns: ReadModel<FailedSignInRow, "SignInFailed"> = {
  table: {
    name: "failed_sign_in",
    columns: [
      "position",
      "at",
      "cause",
      "account_index",
      "event_id",
      "stream",
      "schema_version",
      "client",
    ],
  },
  handles: ["SignInFailed"],
  keyOf: ({ position }) => position,
  begins: () => true,
  evolve(_, { event, stored, keys }) {
    const accountId = event.data.security?.account_id;
    if (accountId === undefined) return undefined;
    const month = keys.get((stored.data.security as unknown as Sealed).key);
    if (month?.state !== "present") return undefined;
    return {
      position: stored.position,
      at: stored.metadata.time,
      cause: event.data.cause,
      account_index: failedSignInIndex(month.key, accountId),
      event_id: stored.id,
      stream: stored.stream,
      schema_version: stored.metadata.schemaVersion,
      client: (stored.metadata.client as Sealed | undefined) ?? null,
    };
  },
};

/** Rows that one statement removes, so that it ends within its time limit. */
const AT_ONCE = 5_000;

/** Removes failed sign-ins of months whose keys are gone: nobody can tell any more whose they were. */
export async function forgetFailedSignIns(
  sql: Pick<pg.Pool, "query">,
  now = new Date(),
  atOnce = AT_ONCE,
): Promise<void> {
  const first = `${securityMonthsKept(now).at(-1)}-01T00:00:00Z`;
  for (let removed = atOnce; removed >= atOnce; ) {
    const { rowCount } = await sql.query(
      `delete from users.failed_sign_in where position in (
         select position from users.failed_sign_in where at < $1 order by at limit $2)`,
      [first, atOnce],
    );
    removed = rowCount ?? 0;
  }
}
