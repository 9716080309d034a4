import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { withDeadline } from "../lifecycle/lifecycle.ts";
import { type ConnectionOptions, createClient } from "./pool.ts";

const TRY_MS = 100;
const CLOSE_MS = 2_000;

/** Waits for the lock, which the transaction holds until it ends. */
export async function lockUntilCommit(
  client: Pick<pg.ClientBase, "query">,
  lock: string,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
}

/** Tries to take the lock. @returns whether this connection now holds it, until the connection ends. */
export async function tryLock(
  client: Pick<pg.ClientBase, "query">,
  lock: string,
): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
    [lock],
  );
  return rows[0]?.locked === true;
}

/**
 * Runs work that only one process at a time may do. A dedicated connection holds the lock, because a pool may
 * have only one. If it breaks, the server releases the lock.
 * @param work any query it makes on the connection fails once the lock is lost.
 * @param waitMs how long to wait for other holders.
 * @returns undefined, without running the work, if another process holds the lock.
 */
export async function withLock<T>(
  connection: ConnectionOptions,
  lock: string,
  work: (client: pg.Client) => Promise<T>,
  waitMs = 0,
): Promise<T | undefined> {
  const client = createClient(connection);
  const until = Date.now() + waitMs;
  try {
    await client.connect();
    while (!(await tryLock(client, lock))) {
      if (Date.now() >= until) return undefined;
      await delay(TRY_MS);
    }
    return await work(client);
  } finally {
    // An unresponsive server never closes the connection.
    await withDeadline(client.end(), CLOSE_MS, () => new Error("time limit")).catch(
      () => undefined,
    );
  }
}
