import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Static } from "typebox";
import type { AdminReportsQuery, StatusCounts } from "#contracts/http/admin-reports.ts";
import type { ReadModel, ReadModelDatabase } from "#read-model/database.ts";
import type { ReportTable } from "#read-model/tables/report.ts";
import { MAX_WINDOW, type Page } from "../paging.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/report-rows.queries.ts";
import { containsPattern, searchWords } from "../text-filter.ts";

/** Reports that are looked at for the possible matches of one, at most. */
const MATCHES = 200;

/** What the moderators' list may be filtered by; all that is given must match. */
export type ReportFilter = Pick<
  AdminReportsQuery,
  "q" | "status" | "verified" | "report_type" | "reason"
> & { readonly id?: readonly string[] };

/** What it may be sorted by; the first is the default. */
export const REPORT_SORTS = [
  "created_at",
  "updated_at",
  "last_name",
  "amount",
  "status",
  "id",
] as const;
export interface ReportSort {
  readonly field: (typeof REPORT_SORTS)[number];
  readonly order: "asc" | "desc";
}

type Filtered = ReadModel & { r: ReportTable };

/** One page of the moderators' list, and how many match, counted up to the window. */
export async function listReports(
  db: ReadModelDatabase,
  filter: ReportFilter,
  sort: ReportSort,
  page: Page,
): Promise<{ rows: ModeratorReportRow[]; total: number }> {
  const column = sort.field === "amount" ? "amount_cents" : sort.field;
  const rows = moderatorReports(db)
    .where((eb) => matches(eb, filter))
    .orderBy(`r.${column}`, sort.order)
    .orderBy("r.id", sort.order)
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const found = db
    .selectFrom("reports.report as r")
    .select(sql`1`.as("one"))
    .where((eb) => matches(eb, filter))
    .limit(MAX_WINDOW);
  const counted = db
    .selectFrom(found.as("found"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const [list, { total }] = await Promise.all([rows, counted]);
  return { rows: list, total };
}

/** How many reports stand at each status, whatever the filter. */
export async function countByStatus(db: ReadModelDatabase): Promise<Static<typeof StatusCounts>> {
  const rows = await db
    .selectFrom("reports.report")
    .select((eb) => ["status", eb.fn.countAll<number>().as("reports")])
    .groupBy("status")
    .execute();
  const counts = { pending: 0, under_review: 0, approved: 0, rejected: 0 };
  for (const { status, reports } of rows) counts[status] = reports;
  return counts;
}

export function findReport(
  db: ReadModelDatabase,
  id: string,
): Promise<ModeratorReportRow | undefined> {
  return moderatorReports(db).where("r.id", "=", id).executeTakeFirst();
}

/** Whether the report was deleted. */
export async function wasDeleted(db: ReadModelDatabase, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("reports.deleted_report")
    .select("report_id")
    .where("report_id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** A report that has an identifier in common with another. */
export type MatchRow = Pick<
  ModeratorReportRow,
  "id" | "first_name" | "last_name" | "title" | "status" | "created_at" | "match_keys"
>;

/** Other reports, of any status, that have an identifier in common, whatever the names; no order. */
export function possibleMatches(
  db: ReadModelDatabase,
  { id, match_keys }: Pick<ModeratorReportRow, "id" | "match_keys">,
): Promise<MatchRow[]> {
  if (match_keys.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("reports.report as r")
    .select([
      "r.id",
      "r.first_name",
      "r.last_name",
      "r.title",
      "r.status",
      "r.created_at",
      "r.match_keys",
    ])
    .where(sql<SqlBool>`r.match_keys && ${match_keys}::text[]`)
    .where("r.id", "<>", id)
    .limit(MATCHES)
    .execute();
}

function matches(eb: ExpressionBuilder<Filtered, "r">, filter: ReportFilter): Expression<SqlBool> {
  const { q, status, verified, report_type, reason, id } = filter;
  const all: Expression<SqlBool>[] = [];
  if (id) all.push(eb("r.id", "=", eb.fn.any(eb.val([...id]).$castTo<string[]>())));
  if (status) all.push(eb("r.status", "=", status));
  if (verified) all.push(eb("r.verified", "=", verified === "true"));
  if (report_type) all.push(eb("r.report_type", "=", report_type));
  if (reason) {
    const additional = JSON.stringify([{ reason }]);
    all.push(
      eb.or([
        sql<SqlBool>`r.chargeback_reason = ${reason}`,
        sql<SqlBool>`r.check_reason = ${reason}`,
        sql<SqlBool>`r.chargebacks @> ${additional}::jsonb`,
      ]),
    );
  }
  for (const word of searchWords(q)) {
    const text = sql<string>`concat_ws(' ', r.id, r.first_name, r.last_name, r.title, r.description, r.city)`;
    all.push(sql<SqlBool>`${text} ilike ${containsPattern(word)}`);
  }
  return eb.and(all);
}
