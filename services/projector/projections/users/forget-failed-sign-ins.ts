import type pg from "pg";
import { securityMonthsKept } from "#contracts/retention.ts";

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
