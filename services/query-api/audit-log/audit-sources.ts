import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable, AuditFacetStatsTable } from "#read-model/tables/audit.ts";
import { MAX_WINDOW } from "../placed-lists.ts";
import { containsPattern, searchWords } from "../visible-report.ts";

/** Filters of the audit log. An entry must match all of them. */
export interface AuditFilter {
  readonly search?: string;
  readonly status?: "success" | "failure" | "warning";
  readonly action?: string;
  readonly id?: readonly string[];
}

/** Returns the IDs of the accounts whose names contain a search word. */
export type NamedLike = (word: string) => readonly string[];

/** Values shared by all entries of a source. */
type Shared = Pick<AuditEntryTable, "command" | "actor_role" | "status">;

/** Entries that are adjacent in an index, in log order. */
export interface Source {
  /** Undefined for the whole unfiltered log. */
  readonly shared: Shared | undefined;
  readonly entries: number;
  /** Whether there may be more, because they were counted up to a bound. */
  readonly atLeast: boolean;
  /** What follows the columns of a `select`. Ends in a condition. */
  readonly from: RawBuilder<unknown>;
}

/** Maximum number of accounts that one ID prefix may match. */
const MAX_ACCOUNTS = 20;
/** Maximum number of single-account ranges that one list is merged from. */
const MAX_RANGES = 300;

/** A search word, and what it may match besides a facet. */
interface Word {
  readonly text: string;
  readonly ids: IdRange | undefined;
  /** IDs of accounts that the word names. */
  readonly accounts: readonly string[];
}

/**
 * Returns sources that together contain every matching entry exactly once, and no others.
 * @param bound maximum to count among entries of accounts that a word names; undefined to count them all.
 * @throws {DomainError} `invalid_request` if a word matches too many accounts.
 */
export async function sourcesOf(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
  bound: number | undefined = MAX_WINDOW,
): Promise<readonly Source[]> {
  const words = await readWords(db, filter.search, namedLike);
  const { id, status, action } = filter;
  const conditions = conditionsOf(filter, words);
  if (id) return await lookedUp(db, [sql`event_id = any(${[...id]}::uuid[])`], conditions);
  const facets = (await db.selectFrom("audit.figure_facet").selectAll().execute()).filter(
    (facet) => (!status || facet.status === status) && (!action || facet.command === action),
  );
  const accounts = new Map(words.map((word) => [word.text, word.accounts]));
  const ranges = rangesOf(facets, [...accounts.keys()], (word) => accounts.get(word) ?? []);
  if (ranges.filter(({ actor_id }) => actor_id !== undefined).length > MAX_RANGES)
    throw invalidRequest({ search: "Too many people match this name. Enter a longer part of it." });
  const found = await countedRanges(db, ranges, bound);
  const idWords = words.filter(({ ids }) => ids);
  if (idWords.length === 0) return found;
  // The ranges already contain the entries of accounts that match every ID.
  const others = sql<SqlBool>`not (${sql.join(idWords.map(isBy), sql` and `)})`;
  const lookUps = idWords.flatMap(({ ids }) => (ids ? lookUpsOf(ids) : []));
  return [...found, ...(await lookedUp(db, lookUps, [...conditions, others]))];
}

/** Returns the same entries as one source, if nothing was filtered: the log itself is in order. */
export function wholeLog(sources: readonly Source[]): readonly Source[] {
  const entries = sources.reduce((sum, source) => sum + source.entries, 0);
  return [{ shared: undefined, entries, atLeast: false, from: sql`from audit.entry where true` }];
}

/** The primary key sorts positions in its own collation, the range indexes in POSIX (`tables/audit.ts`). */
export function positionOf(sources: readonly Source[]): RawBuilder<unknown> {
  return sql.raw(sources[0]?.shared ? 'position collate "POSIX"' : "position");
}

/** Facets were counted by the projection; account ranges are counted now. */
async function countedRanges(
  db: ReadModelDatabase,
  ranges: readonly FacetRange[],
  bound: number | undefined,
): Promise<Source[]> {
  const ofAccounts = ranges.filter(({ actor_id }) => actor_id !== undefined);
  const counts = await countEach(db, ofAccounts.map(inRange), bound);
  const atLeast = bound !== undefined && counts.reduce((sum, n) => sum + n, 0) >= bound;
  return ranges.map((range) => {
    const place = ofAccounts.indexOf(range);
    const counted = { entries: counts[place] ?? 0, atLeast };
    return {
      shared: range.facet,
      ...(place < 0 ? { entries: range.facet.entries, atLeast: false } : counted),
      from: inRange(range),
    };
  });
}

/** The number of entries of each, up to `bound` in total. */
async function countEach(
  db: ReadModelDatabase,
  froms: readonly RawBuilder<unknown>[],
  bound: number | undefined,
): Promise<number[]> {
  if (froms.length === 0) return [];
  const each = froms.map((from, place) => sql`(select ${sql.lit(place)} as place ${from})`);
  const { rows } = await sql<{ place: number; entries: number }>`
    select place, count(*) as entries
    from (select place from (${sql.join(each, sql` union all `)}) each limit ${bound ?? null}) counted
    group by place`.execute(db);
  const counts = new Map(rows.map(({ place, entries }) => [place, entries]));
  return froms.map((_, place) => counts.get(place) ?? 0);
}

function inRange({ facet, actor_id }: FacetRange): RawBuilder<unknown> {
  const { event_type, command, actor_role, status } = facet;
  return sql`from audit.entry
    where event_type = ${event_type} and command = ${command} and actor_role = ${actor_role}
      and status = ${status} ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}`}`;
}

/** The matching entries among the first ones that each lookup finds: the newest, up to the window. */
async function lookedUp(
  db: ReadModelDatabase,
  lookUps: readonly Expression<SqlBool>[],
  conditions: readonly Expression<SqlBool>[],
): Promise<Source[]> {
  const each = lookUps.map(
    (lookUp) => sql`(select * from audit.entry where ${lookUp} limit ${MAX_WINDOW})`,
  );
  const all = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const { rows } = await sql<Shared & { position: string }>`
    select distinct on (position) position, command, actor_role, status
    from (${sql.join(each, sql` union all `)}) each ${all}
    order by position desc limit ${MAX_WINDOW}`.execute(db);
  const kinds = Map.groupBy(rows, ({ command, actor_role, status }) =>
    JSON.stringify([command, actor_role, status]),
  );
  return [...kinds.values()].flatMap(([first, ...others]): Source[] => {
    if (!first) return [];
    const positions = [first, ...others].map(({ position }) => position);
    return [
      {
        shared: first,
        entries: positions.length,
        atLeast: rows.length === MAX_WINDOW,
        from: sql`from unnest(${positions}::text[]) looked(position) where true`,
      },
    ];
  });
}

async function readWords(
  db: ReadModelDatabase,
  search: string | undefined,
  namedLike: NamedLike,
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

/** Where an ID may occur other than as the actor. Each condition is an index range. */
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

/** Conditions on entries that are not found by facet. */
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

/** Whether the entry mentions the word: in its facet (see `holds`), as its actor, or as an ID. */
function mentions(word: Word): Expression<SqlBool> {
  const facet = sql<SqlBool>`concat_ws(' ', command, actor_role, split_part(stream, '-', 1) || '-')
    ilike ${containsPattern(word.text)}`;
  const any = [...(word.ids ? lookUpsOf(word.ids) : [facet]), isBy(word)];
  return sql`(${sql.join(any, sql` or `)})`;
}

/** Whether an account that the word names caused the entry. */
function isBy({ accounts }: Word): Expression<SqlBool> {
  return sql`actor_id = any(${[...accounts]}::text[])`;
}

/** Properties that many entries share, from closed lists. Search words are compared with these first. */
export type Facet = AuditFacetStatsTable;

/** The entries of a facet, optionally only those that one account caused. */
interface FacetRange {
  readonly facet: Facet;
  readonly actor_id?: string;
}

/** A range of IDs, both ends inclusive. */
interface IdRange {
  /** Restricts the range to streams of this kind. */
  readonly kind?: string;
  readonly first: string;
  readonly last: string;
}

/** Kinds of streams whose names contain an ID. */
const STREAM_KINDS = [
  "report",
  "user",
  "session",
  "access",
  "security",
  "inquiry",
  "notice",
  "content",
  "payment",
  "system",
  "template",
  "mail",
] as const;

const WITHOUT_ID: ReadonlySet<string> = new Set(["log", "settings"]);
const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID_WORD = new RegExp(`^(?:(${STREAM_KINDS.join("|")})-)?([0-9a-f]{8}[0-9a-f-]*)$`);
/** Roles without an account. */
const NOBODY = new Set(["visitor", "system"]);

/** Returns the range of IDs that start with the word: a whole UUID, or at least its first eight digits. */
export function idRange(word: string): IdRange | undefined {
  const [, kind, digits] = ID_WORD.exec(word.toLowerCase()) ?? [];
  if (digits === undefined) return undefined;
  const filled = (digit: string) => digits + NIL_UUID.replaceAll("0", digit).slice(digits.length);
  const [first, last] = [filled("0"), filled("f")];
  if (!UUID.test(first)) return undefined;
  return { ...omitUndefined({ kind }), first, last };
}

function holds({ command, actor_role, stream_kind }: Facet, word: string): boolean {
  const wanted = word.toLowerCase();
  const texts = [
    command,
    actor_role,
    WITHOUT_ID.has(stream_kind) ? stream_kind : `${stream_kind}-`,
  ];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Returns entries that have every word in their facet or as their actor. @param accountsOf IDs that a word names. */
export function rangesOf(
  facets: readonly Facet[],
  words: readonly string[],
  accountsOf: (word: string) => readonly string[],
): FacetRange[] {
  return facets.flatMap((facet): FacetRange[] => {
    const missing = words.filter((word) => !holds(facet, word));
    const [first, ...others] = missing.map(accountsOf);
    if (first === undefined) return [{ facet }];
    if (NOBODY.has(facet.actor_role)) return [];
    return first
      .filter((id) => others.every((ids) => ids.includes(id)))
      .map((actor_id) => ({ facet, actor_id }));
  });
}
