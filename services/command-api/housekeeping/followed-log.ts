import type { Pool, PoolClient } from "pg";
import {
  type EventFilter,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from "#event-store/port.ts";
import { inTransaction } from "#runtime/db/migrate.ts";

const BATCH = 500;

interface Deps {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "readAll" | "head">;
  /** Of the log; positions mean nothing in another one. */
  readonly epoch: string;
  /** Table of the position: one row with `single`, `position` and `epoch`. */
  readonly table: `command.${string}_position`;
  readonly filter: EventFilter;
  /** Takes events in, in the transaction that moves the position. */
  readonly note: (client: PoolClient, batch: readonly StoredEvent[]) => Promise<void>;
  /** Forgets what came from a log of another epoch, in the transaction that starts again. */
  readonly restart?: (client: PoolClient) => Promise<void>;
}

/**
 * Tables of the command side that follow the log, each event once, in any number of processes. An older
 * copy of the database goes on from its own position.
 */
export class FollowedLog {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Reads on.
   * @param most batches of 500 events; no bound when absent.
   * @returns whether it came to the end of the log.
   */
  async follow(most = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { store, filter } = this.#deps;
    for (let batches = 0; batches < most; batches += 1) {
      const from = await this.#position();
      // Before the read: what is appended meanwhile is behind it, and is read the next time.
      const head = await store.head();
      const batch: StoredEvent[] = [];
      for await (const event of store.readAll(from, filter, { limit: BATCH })) batch.push(event);
      const last = batch.at(-1);
      if (!last) {
        // A log that filters in this process would be read through again, however rare the events are.
        if (head > from) await this.#take([], from, head);
        return true;
      }
      // Where another process has read on meanwhile, this one goes on from there.
      await this.#take(batch, from, last.position);
    }
    return false;
  }

  /** Where to go on reading: from the start for a log of another epoch. */
  async #position(): Promise<Position> {
    const { pool, epoch, table, restart } = this.#deps;
    const { rows } = await pool.query<{ position: string }>(
      `select position from ${table} where epoch = $1`,
      [epoch],
    );
    if (rows[0]) return rows[0].position;
    return inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `insert into ${table} as p (position, epoch) values ($1, $2)
         on conflict (single) do update set position = excluded.position, epoch = excluded.epoch
         where p.epoch <> excluded.epoch`,
        [START, epoch],
      );
      if (rowCount === 1) await restart?.(client);
      return START;
    });
  }

  async #take(batch: readonly StoredEvent[], from: Position, to: Position): Promise<void> {
    const { pool, epoch, table, note } = this.#deps;
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `update ${table} set position = $1 where position = $2 and epoch = $3`,
        [to, from, epoch],
      );
      if (rowCount === 1 && batch.length > 0) await note(client, batch);
    });
  }
}
