import { type RawBuilder, type Selectable, sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW } from "../paging.ts";
import {
  inListOrder,
  type KeyType,
  type Order,
  type PlacedPage,
  readingOf,
  type Total,
  totalOf,
} from "../placed-lists.ts";
import { besideOf, type Stretch, stretchesOf } from "./audit-order.ts";
import {
  type AuditFilter,
  type NamedLike,
  positionOf,
  type Source,
  sourcesOf,
  wholeLog,
} from "./audit-sources.ts";

export type AuditRow = Selectable<AuditEntryTable>;

/** Sort fields of the audit log, with what they are. The first is the default. */
export const AUDIT_KEYS = {
  timestamp: "text",
  id: "text",
  action: "text",
  status: "text",
  role: "text",
} as const satisfies Record<string, KeyType>;

export interface AuditSort {
  readonly field: keyof typeof AUDIT_KEYS;
  readonly order: Order;
}

/**
 * One page of the audit log, and the number of matching entries: as the projection keeps it, or counted up to
 * the window where the filter names accounts or ids.
 *
 * A filter becomes ranges of an index. All entries of a range have the same action, role and status, so in
 * each order the page is merged from the ranges that it lies in, and reads few entries besides its own.
 * @param namedLike ids of the accounts whose names contain a word of the search.
 * @throws {DomainError} `invalid_request` when a word names too many accounts, or for a page that no row names and
 * that is too far from both ends.
 */
export async function listEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
  sort: AuditSort,
  page: PlacedPage,
): Promise<{ readonly rows: readonly AuditRow[] } & Total> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const all = await sourcesOf(reads, filter, namedLike);
    const sources = isInLogOrder(filter, sort) ? wholeLog(all) : all;
    const counted = {
      total: sources.reduce((sum, { entries }) => sum + entries, 0),
      atLeast: sources.some(({ atLeast }) => atLeast),
    };
    const reading = readingOf(page, sort.order, counted);
    const beside = reading.from && besideOf(reading.from, sort.field);
    const { stretches, offset } = stretchesOf(sources, { ...reading, beside }, sort.field);
    const end = offset + reading.limit;
    const rows = await readStretches(reads, stretches, reading.order, { offset, end });
    return { rows: inListOrder(reading, rows), ...totalOf(page, rows.length, counted) };
  });
}

async function readStretches(
  db: ReadModelDatabase,
  stretches: readonly Stretch[],
  order: Order,
  { offset, end }: { readonly offset: number; readonly end: number },
): Promise<readonly AuditRow[]> {
  if (stretches.length === 0) return [];
  const each = stretches.map(
    ({ sources, behind }, place) =>
      sql`(select position, ${sql.lit(place)} as place from (${merged(sources, order, end, behind)}) stretch)`,
  );
  const direction = sql.raw(order);
  const { rows } = await sql<AuditRow & { place: number }>`
    with page as (
      select * from (${sql.join(each, sql` union all `)}) found
      order by place, position ${direction} offset ${offset} limit ${end - offset}
    )
    select page.place, entry.* from page,
      lateral (select * from audit.entry e where e.position = page.position limit 1) entry
    order by page.place, page.position ${direction}`.execute(db);
  return rows;
}

/** The number of matching entries, and the position of the newest one. */
export async function countEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
): Promise<{ rows: number; first?: string | undefined }> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const sources = await sourcesOf(reads, filter, namedLike, undefined);
    if (sources.length === 0) return { rows: 0 };
    const rows = sources.reduce((sum, { entries }) => sum + entries, 0);
    const first = await sql<{ position: string }>`${merged(sources, "desc", 1)}`.execute(reads);
    return { rows, first: first.rows[0]?.position };
  });
}

/** Matching entries in the log's order, newest first. @param from position of the first one, if not the newest. */
export async function entriesFrom(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
  from: string | undefined,
  limit: number,
): Promise<readonly AuditRow[]> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const all = await sourcesOf(reads, filter, namedLike);
    const sources = isInLogOrder(filter) ? wholeLog(all) : all;
    if (sources.length === 0) return [];
    const behind = from === undefined ? undefined : { position: from, including: true };
    const { rows } = await sql<AuditRow>`
      with page as (${merged(sources, "desc", limit, behind)})
      select entry.* from page,
        lateral (select * from audit.entry e where e.position = page.position limit 1) entry
      order by page.position desc`.execute(reads);
    return rows;
  });
}

/** Whether the list is the log as it is: then nothing has to be merged. */
function isInLogOrder(filter: AuditFilter, sort?: AuditSort): boolean {
  const isByTime = !sort || sort.field === "timestamp" || sort.field === "id";
  return isByTime && Object.values(filter).every((value) => value === undefined || value === "");
}

/** The positions of the first entries of all sources together in the log's order. */
function merged(
  sources: readonly Source[],
  order: Order,
  limit: number,
  behind?: Stretch["behind"],
): RawBuilder<unknown> {
  const position = positionOf(sources);
  const first = sql`order by ${position} ${sql.raw(order)} limit ${limit}`;
  const sign = sql.raw((order === "asc" ? ">" : "<") + (behind?.including ? "=" : ""));
  const rest = behind ? sql`and ${position} ${sign} ${behind.position}` : sql``;
  const each = sources.map(({ from }) => sql`(select position ${from} ${rest} ${first})`);
  return sql`select position from (${sql.join(each, sql` union all `)}) source ${first}`;
}

export function findEntry(db: ReadModelDatabase, eventId: string): Promise<AuditRow | undefined> {
  return db
    .selectFrom("audit.entry")
    .selectAll()
    .where("event_id", "=", eventId)
    .limit(1)
    .executeTakeFirst();
}

/** Entries about the opening of a report's sealed data, newest last. */
export function reveals(db: ReadModelDatabase, reportId: string): Promise<AuditRow[]> {
  return db
    .selectFrom("audit.entry")
    .selectAll()
    .where("report_id", "=", reportId)
    .where("event_type", "=", "PersonalDataViewed")
    .orderBy("position")
    .limit(MAX_WINDOW)
    .execute();
}
