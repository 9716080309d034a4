import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  REPORT_SEARCH_FIELDS,
  REPORT_TERMS,
  REPORT_TEXT,
  reportTerms,
  type WordFilter,
  wordFilter,
} from "#read-model/report-filter.ts";
import { type IndexedReads, readThroughIndexes } from "../keyset-lists.ts";
import {
  followsStart,
  inListOrder,
  type KeyType,
  MAX_WINDOW,
  type PlacedPage,
  type Reading,
  readingOf,
  type Total,
  totalOf,
} from "../placed-lists.ts";
import { WAITING } from "../queue/queue.queries.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/reports.queries.ts";
import { searchWords } from "../visible-report.ts";
import { furtherConditions, rangeOf } from "./further-filters.ts";

/** Filters of the moderators' list. A report must match all of them. */
export type ReportFilter = ReportFilters & { readonly id?: readonly string[] };

/** Sort fields of the moderators' list, with their types. The first is the default. */
export const REPORT_KEYS = {
  created_at: "timestamptz",
  updated_at: "timestamptz",
  last_name: "text",
  amount: "bigint",
  status: "text",
  id: "uuid",
} as const satisfies Record<string, KeyType>;
type SortField = keyof typeof REPORT_KEYS;
export const REPORT_SORTS = Object.keys(REPORT_KEYS) as SortField[];
export interface ReportSort {
  readonly field: SortField;
  readonly order: "asc" | "desc";
}

/** Maximum number of reports scanned in the list's order when too many match to be sorted. */
const MAX_SCANNED = 100_000;

export function reportColumn(field: SortField) {
  return field === "amount" ? "amount_cents" : field;
}

/**
 * Returns one page of the moderators' list, and the number of matches: from the figures table, or else
 * counted up to the window.
 *
 * If an index has the matches in the list's order, they are read from it. Otherwise they are found with
 * the filter's index, then sorted. If more match than fit the window, reports are scanned in the list's
 * order until the page is full.
 * @throws {DomainError} `invalid_request` if too few of the scanned reports match to fill the page.
 */
export function listReports(
  db: ReadModelDatabase,
  filter: ReportFilter,
  sort: ReportSort,
  page: PlacedPage,
  lookAt = MAX_SCANNED,
): Promise<{ rows: ModeratorReportRow[] } & Total> {
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { ids, ...total } = await findIds(reads, filter, sort, page, lookAt);
    if (ids.length === 0) return { rows: [], ...total };
    const found = await moderatorReports(reads.db)
      .where("r.id", "=", (eb) => eb.fn.any(eb.val([...ids]).$castTo<string[]>()))
      .execute();
    const byId = new Map(found.map((row) => [row.id, row]));
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), ...total };
  });
}

interface FoundIds extends Total {
  readonly ids: readonly string[];
}

async function findIds(
  reads: IndexedReads,
  filter: ReportFilter,
  sort: ReportSort,
  page: PlacedPage,
  lookAt: number,
): Promise<FoundIds> {
  const wanted = wantedOf(filter);
  if (!wanted) return { ids: [], total: 0 };
  if (furtherConditions(filter).length > 0)
    return scanFurther(reads, filter, wanted, sort, page, lookAt);
  const kept = await precomputedCount(reads, filter, wanted);
  if (isInOrder(filter, wanted, sort)) return readInOrder(reads, filter, sort, page, kept);
  const conditions = allConditions(filter, wanted);
  if (kept <= MAX_WINDOW) {
    await reads.access("filtered");
    const found = await sortMatches(reads, filter.id, conditions, sort, page);
    if (found.total <= MAX_WINDOW) return found;
  }
  await reads.access("ordered");
  const total = kept > MAX_WINDOW ? { total: kept } : { total: MAX_WINDOW, atLeast: true };
  return scanInOrder(reads, conditions, sort, page, total, lookAt);
}

/** For matches that an index has in the list's order. */
async function readInOrder(
  reads: IndexedReads,
  filter: ReportFilter,
  { field, order }: ReportSort,
  page: PlacedPage,
  kept: number,
): Promise<FoundIds> {
  const { status } = filter;
  // `between` instead of `=`: with an equality the planner may choose any index in this order, not the
  // one that starts with the status.
  const all = status ? sql<SqlBool>`r.status between ${status} and ${status}` : sql<SqlBool>`true`;
  const total =
    kept > MAX_WINDOW
      ? { total: kept }
      : await countTo(reads, sql`select 1 from reports.report r where ${all}`, MAX_WINDOW);
  const reading = readingOf(page, order, total);
  const columns = [...(status ? ["r.status"] : []), `r.${reportColumn(field)}`, "r.id"];
  const behind = followsStart(reading, columns, REPORT_KEYS[field], status ? [status] : []);
  const ids = await idsOf(
    reads,
    sql`select r.id from reports.report r where ${all} ${alsoBehind(behind)} ${ordered(columns, reading)}`,
  );
  return { ids: inListOrder(reading, ids), ...totalOf(page, ids.length, total) };
}

/** Finds all matches, of which there are few, and sorts them. */
async function sortMatches(
  reads: IndexedReads,
  id: readonly string[] | undefined,
  conditions: readonly RawBuilder<SqlBool>[],
  { field, order }: ReportSort,
  page: PlacedPage,
): Promise<FoundIds> {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const all = id
    ? sql`(select * from reports.report where id = any(${[...id]}::uuid[]) limit ${id.length}) r`
    : sql`reports.report r`;
  const reading = page.beside
    ? readingOf(page, order, { total: MAX_WINDOW })
    : { order, from: undefined, isReversed: false, offset: page.offset, limit: page.limit };
  const columns = ["r.key", "r.id"];
  const behind = followsStart(reading, columns, REPORT_KEYS[field]);
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with r as materialized (
      select r.id, r.${sql.ref(reportColumn(field))} as key from ${all} ${where} limit ${MAX_WINDOW + 1}
    )
    select (select count(*) from r) as total,
      array(select r.id from r where true ${alsoBehind(behind)} ${ordered(columns, reading)}) as ids`.execute(
    reads.db,
  );
  const { ids, total } = rows[0] ?? { ids: [], total: 0 };
  return { ids: inListOrder(reading, ids), total };
}

/**
 * Scans reports in the list's order for conditions that no index covers. If the list is sorted by a
 * range's field, the scan is limited to the range. Matches are counted among the reports scanned for a page.
 */
async function scanFurther(
  reads: IndexedReads,
  filter: ReportFilter,
  wanted: Wanted,
  sort: ReportSort,
  page: PlacedPage,
  lookAt: number,
): Promise<FoundIds> {
  const { id } = filter;
  const conditions = [
    ...allConditions(filter, wanted),
    ...(id ? [sql<SqlBool>`r.id = any(${[...id]}::uuid[])`] : []),
  ];
  const scope = rangeOf(filter, sort.field);
  const columns = [`r.${reportColumn(sort.field)}`, "r.id"];
  const whole = { ...readingOf(page, sort.order, { total: 0, atLeast: true }), offset: 0 };
  const looked = sql`select * from reports.report r where ${scope}
    ${ordered(columns, { ...whole, order: sort.order, limit: lookAt })}`;
  const matches = await countTo(
    reads,
    sql`select 1 from (${looked}) r where ${sql.join(conditions, sql` and `)}`,
    MAX_WINDOW,
  );
  const { atLeast } = await countTo(reads, sql`select 1 from (${looked}) r`, lookAt);
  const total = atLeast ? { ...matches, atLeast } : matches;
  return scanInOrder(reads, conditions, sort, page, total, lookAt, scope);
}

/** Scans reports in the list's order. @throws {DomainError} `invalid_request` if too few of them match. */
async function scanInOrder(
  reads: IndexedReads,
  conditions: readonly RawBuilder<SqlBool>[],
  { field, order }: ReportSort,
  page: PlacedPage,
  total: Total,
  lookAt: number,
  scope: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): Promise<FoundIds> {
  const reading = readingOf(page, order, total);
  const columns = [`r.${reportColumn(field)}`, "r.id"];
  const behind = sql`${scope} ${alsoBehind(followsStart(reading, columns, REPORT_KEYS[field]))}`;
  const bounded = { ...reading, offset: 0, limit: lookAt };
  const ids = await idsOf(
    reads,
    sql`select r.id from (
        select * from reports.report r where ${behind} ${ordered(columns, bounded)}
      ) r where ${sql.join(conditions, sql` and `)} offset ${reading.offset} limit ${reading.limit}`,
  );
  if (ids.length < reading.limit) {
    const rest = await countTo(reads, sql`select 1 from reports.report r where ${behind}`, lookAt);
    if (rest.total === lookAt)
      throw invalidRequest({
        filter: "Too many reports match. Narrow your filter or change the sort order.",
      });
  }
  return { ids: inListOrder(reading, ids), ...totalOf(page, ids.length, total) };
}

const alsoBehind = (behind: RawBuilder<SqlBool> | undefined) =>
  behind ? sql`and ${behind}` : sql``;

function ordered(columns: readonly string[], { order, offset, limit }: Reading) {
  const by = columns.map((column) => `${column} ${order}`).join(", ");
  return sql`order by ${sql.raw(by)} offset ${offset} limit ${limit}`;
}

async function idsOf(reads: IndexedReads, statement: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await (statement as RawBuilder<{ id: string }>).execute(reads.db);
  return rows.map(({ id }) => id);
}

async function countTo(
  reads: IndexedReads,
  statement: RawBuilder<unknown>,
  most: number,
): Promise<Total> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${statement} limit ${most}) r`.execute(reads.db);
  const total = rows[0]?.total ?? 0;
  return total === most ? { total, atLeast: true } : { total };
}

/** The number of matches, if it follows from the figures table; else zero. */
async function precomputedCount(
  { db }: IndexedReads,
  { status, report_type, verified, reason, asked, to_decide, id }: ReportFilter,
  { words }: Wanted,
): Promise<number> {
  if (reason || asked || to_decide || id || words.length > 0) return 0;
  let query = db
    .selectFrom("reports.figure_listed")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("reports"), sql<number>`0`).as("reports"));
  if (status) query = query.where("status", "=", status);
  if (report_type) query = query.where("report_type", "=", report_type);
  if (verified) query = query.where("verified", "=", verified === "true");
  const { reports } = await query.executeTakeFirstOrThrow();
  return Number(reports);
}

function allConditions(filter: ReportFilter, wanted: Wanted): RawBuilder<SqlBool>[] {
  const { asked, to_decide } = filter;
  return [
    ...conditionsOf(wanted),
    ...(asked ? [WAITING.asked[asked]] : []),
    ...(to_decide ? [WAITING.to_decide[to_decide]] : []),
    ...furtherConditions(filter),
  ];
}

/** Returns the list's conditions on a report `r`, all of which must hold; undefined if none can match. */
export function listConditions(filter: ReportFilter): readonly RawBuilder<SqlBool>[] | undefined {
  const wanted = wantedOf(filter);
  return wanted && allConditions(filter, wanted);
}

/** What a report must match: all of the terms and all of the words. */
interface Wanted {
  readonly terms: readonly string[];
  readonly words: readonly WordFilter[];
}

/** @returns undefined if no report can match. */
function wantedOf({ q, verified, status, report_type, reason }: ReportFilter): Wanted | undefined {
  const given = searchWords(q);
  const words = given.flatMap((word) => wordFilter(word) ?? []);
  if (given.length > 0 && words.length === 0) return undefined;
  const isVerified = verified ? verified === "true" : undefined;
  return { terms: reportTerms({ status, report_type, reason, verified: isVerified }), words };
}

function conditionsOf({ terms, words }: Wanted): RawBuilder<SqlBool>[] {
  return [
    ...(terms.length > 0 ? [sql<SqlBool>`${sql.raw(REPORT_TERMS)} @> ${terms}::text[]`] : []),
    ...words.map((word) =>
      "words" in word
        ? sql<SqlBool>`${sql.raw(REPORT_SEARCH_FIELDS)} @> ${[...word.words]}::text[]`
        : sql<SqlBool>`${sql.raw(REPORT_TEXT)} ilike ${word.pattern}`,
    ),
  ];
}

/** Whether one index has the matches in the list's order: all reports, or those of one status by date. */
function isInOrder(
  { id, status, asked, to_decide }: ReportFilter,
  { terms, words }: Wanted,
  { field }: ReportSort,
): boolean {
  if (id || asked || to_decide || words.length > 0) return false;
  return terms.length === 0 || (terms.length === 1 && Boolean(status) && field === "created_at");
}
