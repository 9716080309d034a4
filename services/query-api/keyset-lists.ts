import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import {
  afterRow,
  KEYSET_PAGE,
  type KeysetList,
  type LastRow,
  rowOfAfter,
} from "#contracts/http/keyset.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Whether a row lies beside another one. @param columns ordered by. @param values the other's, as text, typed. */
export function isBeside(
  columns: readonly string[],
  side: "<" | "<=" | ">",
  values: readonly (readonly [value: string, type: string])[],
): RawBuilder<SqlBool> {
  const other = values.map(([value, type]) => sql`${value}::${sql.raw(type)}`);
  return sql<SqlBool>`(${sql.raw(columns.join(", "))}) ${sql.raw(side)} (${sql.join(other)})`;
}

/** The same for rows that are ordered by when they were created. @param of what the row is called in the query. */
export function isBesideCreated(of: string, side: "<=" | ">", { at, id }: LastRow) {
  return isBeside([`${of}.created_at`, `${of}.id`], side, [
    [at, "timestamptz"],
    [id, "uuid"],
  ]);
}

/** What a list is ordered by, the newest first: a time, then the id. */
interface KeysetOrder {
  /** SQL of the time, as the list's index has it. No row lacks it. */
  readonly time: string;
  readonly timeType: "timestamptz" | "timestamp" | "text";
  readonly idType: "uuid" | "text";
}

/** What the staff's inbox is ordered by. */
export const BY_RECEIPT: KeysetOrder = {
  time: "received_at",
  timeType: "timestamptz",
  idType: "uuid",
};

/** SQL of a column that begins an index, and which of its values are wanted. */
export type Wanted = readonly [column: string, values: readonly string[]];

/** A list that is read on from the last row of a page. */
interface NewestFirst {
  readonly list: KeysetList;
  readonly order: KeysetOrder;
  readonly wanted: readonly Wanted[];
  readonly after: string | undefined;
}

/** A row with what its list is ordered by. */
interface Listed {
  readonly at: Date | string;
  readonly id: string;
}

/**
 * The newest rows that have one of the wanted values in each of these columns, from behind the row that `after`
 * names, and where the next page begins; nothing on the last page. An index that begins with the columns and goes on
 * with time and id has the rows of one value each in the order of the list, so the page is merged from these ranges
 * and nothing is sorted.
 * @param around completes the rows, in their order.
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
      isBeside([time, "id"], "<", [
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

/** One value of each column, in every combination. */
function combined(wanted: readonly Wanted[]): readonly (readonly string[])[] {
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

/** Planner settings for each way to find rows. */
const ACCESS = {
  /** Scans an index in the order of the list, row by row, and stops when enough are found. */
  ordered: {
    ...NEVER,
    enable_indexscan: "on",
    enable_indexonlyscan: "on",
    enable_bitmapscan: "off",
  },
  /** Scans one index, or several and combines what they find. */
  looked_up: NEVER,
  /** Combines the indexes of a filter, without any order. */
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
  /** Sets how the following statements find their rows. */
  access(kind: Access): Promise<void>;
}

/** Reads in one transaction in which the planner does not read, sort or join a whole table. */
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
