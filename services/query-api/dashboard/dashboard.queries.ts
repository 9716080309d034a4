import { sql } from "kysely";
import type { UserStatus } from "#contracts/account/account-messages.ts";
import { type Dashboard, RECENT_ACTIVITY } from "#contracts/http/analytics.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { fromCents } from "#contracts/report/money.ts";
import { type Currency, REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { readThroughIndexes } from "../keyset-lists.ts";

type Part<Name extends keyof Dashboard> = NonNullable<Dashboard[Name]>;

/** @param from first day, in UTC, from which accounts count as new. */
export async function countUsers(db: ReadModelDatabase, from: string): Promise<Part<"users">> {
  const count = (status: UserStatus) =>
    sql`(select coalesce(sum(accounts), 0)::int from users.figure_standing where status = ${status})`;
  const { rows } = await sql<Part<"users">>`
    select (select coalesce(sum(accounts), 0)::int from users.figure_standing) as total,
      (select coalesce(sum(registered), 0)::int from accounts.figure_day where day >= ${from})
        as new,
      ${count("pending")} as pending, ${count("banned")} as banned`.execute(db);
  return rows[0] ?? { total: 0, new: 0, pending: 0, banned: 0 };
}

/** Returns reports by status, including statuses without any. */
export async function countReports(db: ReadModelDatabase): Promise<Part<"reports">> {
  const { rows } = await sql<{
    readonly status: ReportStatus;
    readonly currency: Currency;
    readonly reports: number;
    readonly cents: number;
  }>`
    select status, currency, reports, owed_cents::float8 as cents
    from reports.figure_status order by currency`.execute(db);
  const statuses = (Object.keys(REPORT_STATUSES) as ReportStatus[]).map((status) => {
    const own = rows.filter((row) => row.status === status);
    return {
      status,
      reports: own.reduce((sum, { reports }) => sum + reports, 0),
      totals: own.map(({ currency, cents }) => ({ currency, amount: fromCents(cents) })),
    };
  });
  return { total: statuses.reduce((sum, { reports }) => sum + reports, 0), statuses };
}

/** Returns the most recently updated reports. */
export async function recentActivity(db: ReadModelDatabase): Promise<Part<"activity">> {
  const rows = await readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("reports.report")
      .select(["id", "first_name", "last_name", "status", "updated_at", "reporter_email_mask"])
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(RECENT_ACTIVITY)
      .execute(),
  );
  return rows.map(({ updated_at, reporter_email_mask, ...row }) => ({
    ...row,
    updated_at: updated_at.toISOString(),
    ...omitUndefined({ reporter_email: reporter_email_mask ?? undefined }),
  }));
}
