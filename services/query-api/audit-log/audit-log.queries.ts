import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW, type Page } from "../paging.ts";
import { containsPattern, searchWords } from "../text-filter.ts";
import {
  type Facet,
  type FacetRange,
  type IdRange,
  idRange,
  rangesOf,
  STREAM_KINDS,
} from "./audit-search.ts";

export type AuditRow = Selectable<AuditEntryTable>;

/** Filters of the audit log. An entry must match all that are given. */
export interface AuditFilter {
  readonly search?: string;
  readonly status?: "success" | "failure" | "warning";
  /** Name of a command. */
  readonly action?: string;
  /** Ids of events. */
  readonly id?: readonly string[];
}

/** Sort fields of the audit log. The first is the default. */
export const AUDIT_SORTS = ["timestamp", "id", "action", "resource", "status", "role"] as const;
export interface AuditSort {
  readonly field: (typeof AUDIT_SORTS)[number];
  readonly order: "asc" | "desc";
}

type AuditColumn = keyof AuditEntryTable & string;
const COLUMNS = {
  timestamp: "position",
  id: "position",
  action: "command",
  resource: "stream",
  status: "status",
  role: "actor_role",
} as const satisfies Record<AuditSort["field"], AuditColumn>;

/** Maximum number of accounts that one prefix of an id may match. */
const MAX_ACCOUNTS = 20;
/** Maximum number of index ranges that one list is merged from. */
const MAX_RANGES = 300;

/** A word of the search, and what it may match besides a facet. */
interface Word {
  readonly text: string;
  readonly ids: IdRange | undefined;
  /** Ids of accounts that the word names. */
  readonly accounts: readonly string[];
}

/**
 * One page of the audit log, and the number of matching entries, counted up to the window.
 *
 * A filter becomes ranges of an index, which are merged in the order of the log. So each range
 * reads no more entries than the window has, however large the log is. Other sort orders apply to
 * the newest entries of the window.
 * @param namedLike ids of the accounts whose names contain a word of the search.
 * @throws {DomainError} `invalid_request` when a word names too many accounts.
 */
export async function listEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: (word: string) => readonly string[],
  sort: AuditSort,
  page: Page,
): Promise<{ rows: AuditRow[]; total: number }> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const words = await readWords(reads, filter.search, namedLike);
    const sources = await sourcesOf(reads, filter, words);
    if (sources.length === 0) return { rows: [], total: 0 };
    const key = COLUMNS[sort.field];
    const end = page.offset + page.limit;
    const found = key === "position" ? merged(sources, key, sort.order, end) : merged(sources, key);
    const order = sql.raw(`order by key ${sort.order}, position ${sort.order}`);
    const { rows } = await sql<AuditRow>`
      with page as (
        select * from (${found}) found ${order} offset ${page.offset} limit ${page.limit}
      )
      select entry.* from page,
        lateral (select * from audit.entry e where e.position = page.position limit 1) entry
      ${order}`.execute(reads);
    const counted = await sql<{ total: number }>`
      select count(*) as total from (${merged(sources, key)}) found`.execute(reads);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  });
}

/** The number of matching entries, and the position of the newest one. */
export async function countEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: (word: string) => readonly string[],
): Promise<{ rows: number; first?: string | undefined }> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const sources = await sourcesOf(
      reads,
      filter,
      await readWords(reads, filter.search, namedLike),
    );
    if (sources.length === 0) return { rows: 0 };
    const each = sources.map((source) => sql`(select count(*) as rows ${source})`);
    const { rows } = await sql<{ rows: number }>`
      select coalesce(sum(rows), 0)::bigint as rows from (${sql.join(each, sql` union all `)}) each`.execute(
      reads,
    );
    const first = await sql<{ position: string }>`
      select position from (${merged(sources, "position", "desc", 1)}) first`.execute(reads);
    return { rows: rows[0]?.rows ?? 0, first: first.rows[0]?.position };
  });
}

/** Matching entries in the log's order, newest first. @param from position of the first one, if not the newest. */
export async function entriesFrom(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: (word: string) => readonly string[],
  from: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const sources = await sourcesOf(
      reads,
      filter,
      await readWords(reads, filter.search, namedLike),
    );
    if (sources.length === 0) return [];
    const collation = collationOf(sources);
    const bounded: readonly Source[] =
      from === undefined
        ? sources
        : sources.map(
            (source) => sql`from (select position ${source}) all_of_it
              where position ${collation} <= ${from} ${collation}`,
          );
    const first = sql`order by position ${collation} desc limit ${limit}`;
    const each = bounded.map((source) => sql`(select position ${source} ${first})`);
    const { rows } = await sql<AuditRow>`
      with page as (select position from (${sql.join(each, sql` union all `)}) found ${first})
      select entry.* from page,
        lateral (select * from audit.entry e where e.position = page.position limit 1) entry
      order by page.position desc`.execute(reads);
    return rows;
  });
}

/** The first entries of all sources together in the log's order, newest first by default. */
function merged(
  sources: readonly Source[],
  key: AuditColumn,
  order: AuditSort["order"] = "desc",
  limit = MAX_WINDOW,
): RawBuilder<unknown> {
  const collation = collationOf(sources);
  const first = sql`order by position ${collation} ${sql.raw(order)} limit ${limit}`;
  const each = sources.map(
    (source) => sql`(select position, ${sql.ref(key)} as key ${source} ${first})`,
  );
  return sql`select * from (${sql.join(each, sql` union all `)}) source ${first}`;
}

/** The primary key sorts positions in its own collation, the indexes of ranges in POSIX (`tables/audit.ts`). */
function collationOf(sources: readonly Source[]): RawBuilder<unknown> {
  return sql.raw(sources[0] === WHOLE_LOG ? "" : 'collate "POSIX"');
}

async function readWords(
  db: ReadModelDatabase,
  search: string | undefined,
  namedLike: (word: string) => readonly string[],
): Promise<Word[]> {
  const accountsOf = async (text: string, ids: IdRange | undefined) => {
    if (!ids) return namedLike(text);
    if (ids.kind) return [];
    const found = await db
      .selectFrom("audit.actor")
      .select("actor_id")
      .where((eb) => eb.between("actor_id", ids.first, ids.last))
      .limit(MAX_ACCOUNTS)
      .execute();
    return found.map(({ actor_id }) => actor_id);
  };
  return Promise.all(
    searchWords(search).map(async (text): Promise<Word> => {
      const ids = idRange(text);
      return { text, ids, accounts: await accountsOf(text, ids) };
    }),
  );
}

/** A source of entries: the part of a `select` that follows its columns. */
type Source = RawBuilder<unknown>;
const WHOLE_LOG: Source = sql`from audit.entry`;

/** Sources that together hold every matching entry exactly once, and no other entry. */
async function sourcesOf(
  db: ReadModelDatabase,
  filter: AuditFilter,
  words: readonly Word[],
): Promise<Source[]> {
  const { id, status, action } = filter;
  const conditions = conditionsOf(filter, words);
  if (id) return [among([sql`event_id = any(${[...id]}::uuid[])`], conditions)];
  if (conditions.length === 0) return [WHOLE_LOG];
  const accounts = new Map(words.map((word) => [word.text, word.accounts]));
  const facets = (await listFacets(db)).filter(
    (facet) => (!status || facet.status === status) && (!action || facet.command === action),
  );
  const ranges = rangesOf(facets, [...accounts.keys()], (word) => accounts.get(word) ?? []);
  if (ranges.length > MAX_RANGES)
    throw invalidRequest({ search: "Too many people are named like this: give more of the name" });
  const idWords = words.filter(({ ids }) => ids);
  if (idWords.length === 0) return ranges.map(inRange);
  // The ranges already hold the entries of accounts that match every id.
  const others = sql<SqlBool>`not (${sql.join(idWords.map(isBy), sql` and `)})`;
  const lookUps = idWords.flatMap(({ ids }) => (ids ? lookUpsOf(ids) : []));
  return [...ranges.map(inRange), among(lookUps, [...conditions, others])];
}

function inRange({ facet, actor_id }: FacetRange): Source {
  const { event_type, command, actor_role, status } = facet;
  return sql`from audit.entry
    where event_type = ${event_type} and command = ${command} and actor_role = ${actor_role}
      and status = ${status} ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}`}`;
}

/** Where an id may occur other than as the actor. Each condition is a range of an index. */
function lookUpsOf({ kind, first, last }: IdRange): Expression<SqlBool>[] {
  const streams = (kind ? [kind] : STREAM_KINDS).map(
    (of) => sql<SqlBool>`stream between ${`${of}-${first}`} and ${`${of}-${last}`}`,
  );
  if (kind) return streams;
  return [
    ...streams,
    sql`event_id between ${first}::uuid and ${last}::uuid`,
    sql`report_id between ${first}::uuid and ${last}::uuid`,
  ];
}

/** The matching entries among the first ones that each look-up finds. */
function among(
  lookUps: readonly Expression<SqlBool>[],
  conditions: readonly Expression<SqlBool>[],
): Source {
  const each = lookUps.map(
    (lookUp) => sql`(select * from audit.entry where ${lookUp} limit ${MAX_WINDOW})`,
  );
  const all = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return sql`from (select distinct on (position) * from (${sql.join(each, sql` union all `)}) each
    ${all}) looked`;
}

/** Conditions on entries that are not found by their facet. */
function conditionsOf(
  { status, action }: AuditFilter,
  words: readonly Word[],
): Expression<SqlBool>[] {
  return [
    ...(status ? [sql<SqlBool>`status = ${status}`] : []),
    ...(action ? [sql<SqlBool>`command = ${action}`] : []),
    ...words.map(mentions),
  ];
}

/**
 * Whether the entry mentions the word: in its facet (as `holds` decides), as its actor, or as an
 * id.
 */
function mentions(word: Word): Expression<SqlBool> {
  const facet = sql<SqlBool>`concat_ws(' ', command, actor_role, split_part(stream, '-', 1) || '-')
    ilike ${containsPattern(word.text)}`;
  const any = [...(word.ids ? lookUpsOf(word.ids) : [facet]), isBy(word)];
  return sql`(${sql.join(any, sql` or `)})`;
}

/** Whether the entry was caused by an account that the word names. */
function isBy({ accounts }: Word): Expression<SqlBool> {
  return sql`actor_id = any(${[...accounts]}::text[])`;
}

/** The facets that occur. The query skips through their index from each one to the next. */
async function listFacets(db: ReadModelDatabase): Promise<Facet[]> {
  const facet = sql`event_type, command, actor_role, status`;
  const { rows } = await sql<Facet>`
    with recursive facet as (
      (select ${facet}, stream from audit.entry order by ${facet} limit 1)
      union all
      select next.* from facet, lateral (
        select ${facet}, stream from audit.entry e
        where (e.event_type, e.command, e.actor_role, e.status)
            > (facet.event_type, facet.command, facet.actor_role, facet.status)
        order by ${facet} limit 1
      ) next
    )
    select ${facet}, split_part(stream, '-', 1) as stream_kind from facet`.execute(db);
  return rows;
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
