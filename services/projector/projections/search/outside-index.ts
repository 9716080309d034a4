import type pg from "pg";
import type { Position } from "#event-store/port.ts";

type Queryable = Pick<pg.ClientBase, "query">;

/**
 * The index outside the database that belongs to its rows. It is written in the transactions of
 * rows and checkpoint, and is authoritative over any alias.
 */
export interface OutsideIndex {
  /** A name that no other index ever has. */
  readonly name: string;
  /** The index holds at least everything up to here. Empty before the first write. */
  readonly position: Position | "";
}

/** @returns undefined while the index is in the database, or not created yet. */
export async function readOutsideIndex(sql: Queryable): Promise<OutsideIndex | undefined> {
  const { rows } = await sql.query<OutsideIndex>(
    "select index_name as name, position from processor.outside_index where processor = 'search'",
  );
  return rows[0];
}

export async function keepOutsideIndex(
  sql: Queryable,
  { name, position }: OutsideIndex,
): Promise<void> {
  await sql.query(
    `insert into processor.outside_index (processor, index_name, position)
     values ('search', $1, $2)
     on conflict (processor) do update
       set index_name = excluded.index_name, position = excluded.position`,
    [name, position],
  );
}

/** Records how far the index was written. */
export async function moveOutsideIndex(sql: Queryable, position: Position): Promise<void> {
  await sql.query(
    `update processor.outside_index set position = greatest(position, $1)
     where processor = 'search'`,
    [position],
  );
}
