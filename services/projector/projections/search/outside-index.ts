import type pg from "pg";
import type { Position } from "#event-store/port.ts";

type Queryable = Pick<pg.ClientBase, "query">;

/**
 * The index outside of the database that belongs to the rows in it. Written in the transactions of
 * the rows and the checkpoint: it says which index is the right one, whatever an alias says.
 */
export interface OutsideIndex {
  /** Name that no other index ever has. */
  readonly name: string;
  /** The index holds everything up to here at least; empty before the first write. */
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

/** Notes how far the index was written. */
export async function moveOutsideIndex(sql: Queryable, position: Position): Promise<void> {
  await sql.query(
    `update processor.outside_index set position = greatest(position, $1)
     where processor = 'search'`,
    [position],
  );
}
