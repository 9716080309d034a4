import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import {
  afterRow,
  KEYSET_PAGE,
  type KeysetList,
  type LastRow,
  rowOfAfter,
} from "#contracts/http/keyset.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Returns a keyset condition. @param columns the sort columns. @param values the other row's, as typed text. */
export function compareRow(
  columns: readonly string[],
  side: "<" | "<=" | ">",
  values: readonly (readonly [value: string, type: string])[],
): RawBuilder<SqlBool> {
  const other = values.map(([value, type]) => sql`${value}::${sql.raw(type)}`);
  return sql<SqlBool>`(${sql.raw(columns.join(", "))}) ${sql.raw(side)} (${sql.join(other)})`;
}

/** Returns the same for rows sorted by creation time. @param of the row's alias in the query. */
export function compareCreated(of: string, side: "<=" | ">", { at, id }: LastRow) {
  return compareRow([`${of}.created_at`, `${of}.id`], side, [
    [at, "timestamptz"],
    [id, "uuid"],
  ]);
}

/** A list's sort order, newest first: a time, then the ID. */
interface KeysetOrder {
  /** SQL of the time, as in the list's index. Never null. */
  readonly time: string;
  readonly timeType: "timestamptz" | "timestamp" | "text";
  readonly idType: "uuid" | "text";
}

/** Sort order of the staff's inbox. */
export const BY_RECEIPT: KeysetOrder = {
  time: "received_at",
  timeType: "timestamptz",
  idType: "uuid",
};

/** SQL of a leading index column, and which of its values are wanted. */
export type IndexFilter = readonly [column: string, values: readonly string[]];

/** A list paged by keyset. */
interface NewestFirst {
  readonly list: KeysetList;
  readonly order: KeysetOrder;
  readonly wanted: readonly IndexFilter[];
  readonly after: string | undefined;
}

/** A row with its list's sort key. */
interface Listed {
  readonly at: Date | string;
  readonly id: string;
}

/**
 * Returns the newest rows that have one of the wanted values in each of these columns, after the row
 * `after`, and where the next page starts, unless it is the last. An index on the columns, time and ID has
 * the rows of each combination of values in list order, so the page is merged from these ranges without
 * sorting.
 * @param around completes the rows, keeping their order.
 */
export async function newestPage<DB, TB extends keyof DB, O, Row extends Listed = O & Listed>(
  db: ReadModelDatabase,
  query: SelectQueryBuilder<DB, TB, O>,
  { list, wanted, order: { time, timeType, idType }, after }: NewestFirst,
  around = (page: RawBuilder<unknown>) => page as RawBuilder<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly next?: string }> {
  const last = after ? rowOfAfter(after) : undefined;
  const ranges = combined(wanted).map((values) => {
    const equal = wanted.map(([column], n) => sql<SqlBool>`${sql.raw(column)} = ${values[n]}`);
    const behind = last && [
      compareRow([time, "id"], "<", [
        [last.at, timeType],
        [last.id, idType],
      ]),
    ];
    return query
      .select(sql.raw(time).as("listed_at"))
      .where((eb) => eb.and([...equal, ...(behind ?? [])]))
      .orderBy(sql.raw(time), "desc")
      .orderBy(sql.raw("id"), "desc")
      .limit(KEYSET_PAGE + 1);
  });
  if (ranges.length === 0) return { rows: [] };
  const at = sql.raw(timeType === "timestamp" ? "listed_at at time zone 'UTC'" : "listed_at");
  const page = around(sql`
    select *, ${at} as at from (${sql.join(ranges, sql` union all `)}) as found
    order by listed_at desc, id desc limit ${sql.lit(KEYSET_PAGE + 1)}`);
  const { rows } = await readThroughIndexes(db, "ordered", (reads) => page.execute(reads.db));
  const shown = rows.length > KEYSET_PAGE ? rows.slice(0, KEYSET_PAGE) : undefined;
  const end = shown?.at(-1);
  if (!shown || !end) return { rows };
  const endAt = end.at instanceof Date ? end.at.toISOString() : end.at;
  return { rows: shown, next: afterRow({ at: endAt, id: end.id }, list) };
}

/** Every combination of one value per column. */
function combined(wanted: readonly IndexFilter[]): readonly (readonly string[])[] {
  return wanted.reduce<readonly (readonly string[])[]>(
    (all, [, values]) => all.flatMap((each) => values.map((value) => [...each, value])),
    [[]],
  );
}

/** Settings that rule out plans that read more of a table than they need. */
const NEVER = {
  enable_seqscan: "off",
  enable_sort: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
};

/** Planner settings for each access method. */
const ACCESS = {
  /** Scans an index in list order, row by row, and stops when enough are found. */
  ordered: {
    ...NEVER,
    enable_indexscan: "on",
    enable_indexonlyscan: "on",
    enable_bitmapscan: "off",
  },
  /** Scans one index, or combines several. */
  looked_up: NEVER,
  /** Combines a filter's indexes, without any order. */
  filtered: {
    ...NEVER,
    enable_indexscan: "off",
    enable_indexonlyscan: "off",
    enable_bitmapscan: "on",
  },
} as const;

type Access = keyof typeof ACCESS;

/** A transaction whose statements read as few rows as possible. */
export interface IndexedReads {
  readonly db: ReadModelDatabase;
  /** Sets the access method of the following statements. */
  access(kind: Access): Promise<void>;
}

/** Reads in one transaction in which the planner doesn't read, sort or join a whole table. */
export function readThroughIndexes<T>(
  db: ReadModelDatabase,
  first: Access,
  work: (reads: IndexedReads) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const access = async (kind: Access) => {
        const settings = Object.entries(ACCESS[kind]);
        const statements = settings.map(([name, value]) => `set local ${name} = ${value}`);
        await sql.raw(statements.join("; ")).execute(transaction);
      };
      await access(first);
      return work({ db: transaction, access });
    });
}
