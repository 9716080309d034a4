import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { AdminReportsQuery } from "#contracts/http/admin-reports.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  REPORT_TERMS,
  REPORT_TEXT,
  REPORT_WORDS,
  reportTerms,
  type WordFilter,
  wordFilter,
} from "#read-model/report-filter.ts";
import { type IndexedReads, readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW, type Page } from "../paging.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/report-rows.queries.ts";
import { searchWords } from "../text-filter.ts";
import { NOT_OF_BANNED } from "../users/of-banned.ts";

/** Filters of the moderators' list. A report must match all that are given. */
export type ReportFilter = Pick<
  AdminReportsQuery,
  "q" | "status" | "verified" | "report_type" | "reason" | "asked"
> & { readonly id?: readonly string[] };

/** Sort fields of the moderators' list. The first is the default. */
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

/**
 * Maximum number of reports that are scanned in the list's order when too many match to be sorted.
 */
const MAX_LOOKED_AT = 100_000;

/**
 * One page of the moderators' list, and the number of matches, counted up to the window.
 *
 * When an index holds the matches in the list's order, they are read from it. Otherwise they are
 * found by the index of the filter, then sorted. When more match than fit the window, reports are
 * scanned in the list's order until the page is full.
 * @throws {DomainError} `invalid_request` when too few of the scanned reports match to fill the
 *   page.
 */
export function listReports(
  db: ReadModelDatabase,
  filter: ReportFilter,
  sort: ReportSort,
  page: Page,
  lookAt = MAX_LOOKED_AT,
): Promise<{ rows: ModeratorReportRow[]; total: number }> {
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { ids, total } = await findIds(reads, filter, sort, page, lookAt);
    if (ids.length === 0) return { rows: [], total };
    const found = await moderatorReports(reads.db)
      .where("r.id", "=", (eb) => eb.fn.any(eb.val([...ids]).$castTo<string[]>()))
      .execute();
    const byId = new Map(found.map((row) => [row.id, row]));
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
  });
}

interface FoundIds {
  readonly ids: readonly string[];
  readonly total: number;
}

async function findIds(
  reads: IndexedReads,
  filter: ReportFilter,
  sort: ReportSort,
  page: Page,
  lookAt: number,
): Promise<FoundIds> {
  const column = sort.field === "amount" ? "amount_cents" : sort.field;
  const order = (of: string) => sql.raw(`order by ${of} ${sort.order}, r.id ${sort.order}`);
  const inOrder = order(`r.${column}`);
  const window = sql`offset ${page.offset} limit ${page.limit}`;
  const wanted = wantedOf(filter);
  if (!wanted) return { ids: [], total: 0 };
  const { id, status } = filter;
  if (isInOrder(filter, wanted, sort)) {
    // `between` instead of `=`: with an equality the planner may choose any index in this order,
    // not the one that starts with the status.
    // Few reports wait for their reporter, so leaving them out keeps the index's order.
    const free = askedCondition(filter) ?? sql<SqlBool>`true`;
    const of = status
      ? sql`where r.status between ${status} and ${status} and ${free}`
      : sql`where ${free}`;
    const first = sql.raw(status ? `r.status ${sort.order}, ` : "");
    return firstOf(
      reads,
      sql`select array(select r.id from reports.report r ${of}
          order by ${first} r.${sql.ref(column)} ${sql.raw(sort.order)}, r.id ${sql.raw(sort.order)} ${window}) as ids,
        (select count(*) from (select 1 from reports.report r ${of} limit ${MAX_WINDOW}) r) as total`,
    );
  }
  const conditions = allConditions(filter, wanted);
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const all = id
    ? sql`(select * from reports.report where id = any(${[...id]}::uuid[]) limit ${id.length}) r`
    : sql`reports.report r`;
  await reads.access("filtered");
  const found = await firstOf(
    reads,
    sql`
    with r as materialized (
      select r.id, r.${sql.ref(column)} as key from ${all} ${where} limit ${MAX_WINDOW + 1}
    )
    select (select count(*) from r) as total, array(select r.id from r ${order("r.key")} ${window}) as ids`,
  );
  if (found.total <= MAX_WINDOW) return found;
  await reads.access("ordered");
  const { ids } = await firstOf(
    reads,
    sql`
    select array(
      select r.id from (select * from reports.report r ${inOrder} limit ${lookAt}) r
      ${where} ${window}) as ids`,
  );
  if (ids.length === page.limit) return { ids, total: MAX_WINDOW };
  throw invalidRequest({
    filter:
      "Very many reports match, and few of the first ones: narrow the filter or sort otherwise",
  });
}

async function firstOf(reads: IndexedReads, statement: RawBuilder<unknown>): Promise<FoundIds> {
  const { rows } = await (statement as RawBuilder<FoundIds>).execute(reads.db);
  if (!rows[0]) throw new TypeError("a statement without a FROM gave no row");
  return rows[0];
}

/** What `asked` means. A question that has expired waits for nothing. */
const ASKED: Readonly<Record<NonNullable<ReportFilter["asked"]>, RawBuilder<SqlBool>>> = {
  waiting: sql<SqlBool>`r.asked_until > now()`,
  answered: sql<SqlBool>`r.answered_at is not null`,
  none: sql<SqlBool>`(r.asked_until is null or r.asked_until <= now())`,
};

/**
 * What the question must be. Pending reports that wait for nobody are the queue, which those of banned
 * accounts leave until the ban is over.
 */
function askedCondition({ asked, status }: ReportFilter): RawBuilder<SqlBool> | undefined {
  if (!asked) return undefined;
  if (asked !== "none" || status !== "pending") return ASKED[asked];
  return sql<SqlBool>`(${ASKED[asked]} and ${NOT_OF_BANNED})`;
}

function allConditions(filter: ReportFilter, wanted: Wanted): RawBuilder<SqlBool>[] {
  const free = askedCondition(filter);
  return [...conditionsOf(wanted), ...(free ? [free] : [])];
}

/** The conditions of the list on a report `r`, all of which must hold; undefined when none can match. */
export function listConditions(filter: ReportFilter): readonly RawBuilder<SqlBool>[] | undefined {
  const wanted = wantedOf(filter);
  return wanted && allConditions(filter, wanted);
}

/** What a report must have: all of the terms and all of the words. */
interface Wanted {
  readonly terms: readonly string[];
  readonly words: readonly WordFilter[];
}

/** @returns undefined when no report can have it. */
function wantedOf({ q, verified, asked: _, ...filter }: ReportFilter): Wanted | undefined {
  const given = searchWords(q);
  const words = given.flatMap((word) => wordFilter(word) ?? []);
  if (given.length > 0 && words.length === 0) return undefined;
  const isVerified = verified ? verified === "true" : undefined;
  return { terms: reportTerms({ ...filter, verified: isVerified }), words };
}

function conditionsOf({ terms, words }: Wanted): RawBuilder<SqlBool>[] {
  return [
    ...(terms.length > 0 ? [sql<SqlBool>`${sql.raw(REPORT_TERMS)} @> ${terms}::text[]`] : []),
    ...words.map((word) =>
      "words" in word
        ? sql<SqlBool>`${sql.raw(REPORT_WORDS)} @> ${[...word.words]}::text[]`
        : sql<SqlBool>`${sql.raw(REPORT_TEXT)} ilike ${word.pattern}`,
    ),
  ];
}

/**
 * Whether one index holds the matches in the list's order: all reports, or those of one status by
 * date.
 */
function isInOrder(
  { id, status, asked }: ReportFilter,
  { terms, words }: Wanted,
  { field }: ReportSort,
): boolean {
  if (id || words.length > 0 || (asked && asked !== "none")) return false;
  return terms.length === 0 || (terms.length === 1 && Boolean(status) && field === "created_at");
}
