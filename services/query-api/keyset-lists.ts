import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import {
  afterRow,
  KEYSET_PAGE,
  type KeysetList,
  type LastRow,
  rowOfAfter,
} from "#contracts/http/keyset.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { readThroughIndexes } from "./indexed-reads.ts";

/** What a list is ordered by, the newest first: a time, then the id. */
export interface KeysetOrder {
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

/**
 * The newest rows that have one of the wanted values in each of these columns, from behind the row that `after`
 * names; one more than a page shows. An index that begins with the columns and goes on with time and id has the rows
 * of one value each in the order of the list, so the page is merged from these ranges and nothing is sorted.
 * @returns undefined where nothing is wanted of a column.
 */
export function newestOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  wanted: readonly Wanted[],
  { time, timeType, idType }: KeysetOrder,
  after: string | undefined,
): RawBuilder<O> | undefined {
  const last = after ? rowOfAfter(after) : undefined;
  const ranges = combined(wanted).map((values) => {
    const equal = wanted.map(([column], n) => sql<SqlBool>`${sql.raw(column)} = ${values[n]}`);
    const behind = last && [
      sql<SqlBool>`(${sql.raw(time)}, id)
        < (${last.at}::${sql.raw(timeType)}, ${last.id}::${sql.raw(idType)})`,
    ];
    return query
      .select(sql.raw(time).as("listed_at"))
      .where((eb) => eb.and([...equal, ...(behind ?? [])]))
      .orderBy(sql.raw(time), "desc")
      .orderBy(sql.raw("id"), "desc")
      .limit(KEYSET_PAGE + 1);
  });
  if (ranges.length === 0) return undefined;
  return sql<O>`select * from (${sql.join(ranges, sql` union all `)}) as found
    order by listed_at desc, id desc limit ${sql.lit(KEYSET_PAGE + 1)}`;
}

/** The same, read. */
export async function readNewest<DB, TB extends keyof DB, O>(
  db: ReadModelDatabase,
  ...list: Parameters<typeof newestOf<DB, TB, O>>
): Promise<readonly O[]> {
  const newest = newestOf(...list);
  if (!newest) return [];
  const { rows } = await readThroughIndexes(db, "ordered", (reads) => newest.execute(reads.db));
  return rows;
}

/** One value of each column, in every combination. */
function combined(wanted: readonly Wanted[]): readonly (readonly string[])[] {
  return wanted.reduce<readonly (readonly string[])[]>(
    (all, [, values]) => all.flatMap((each) => values.map((value) => [...each, value])),
    [[]],
  );
}

/**
 * Where the next page begins; nothing on the last page.
 * @param found how many rows were read.
 * @param last the last row that is shown.
 */
export function nextPage(
  list: KeysetList,
  found: number,
  last: LastRow | undefined,
): { readonly next?: string } {
  return found > KEYSET_PAGE && last ? { next: afterRow(last, list) } : {};
}
