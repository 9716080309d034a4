import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { withDeadline } from "../lifecycle/lifecycle.ts";
import { type ConnectionOptions, createClient } from "./pool.ts";

const TRY_MS = 100;
const CLOSE_MS = 2_000;

/** Waits for the lock, which the transaction holds until its end. */
export async function lockUntilCommit(
  client: Pick<pg.ClientBase, "query">,
  lock: string,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
}

/** @returns whether the connection holds the lock now, until it ends. */
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
 * Does what only one process at a time may do. The lock is held by a connection of its own, since a pool may be a
 * single one. When that breaks, the server frees the lock.
 * @param work whatever it asks of the connection fails once the lock is lost.
 * @param waitMs how long it waits for others.
 * @returns undefined, without any work, where others hold the lock.
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
    // A server that is silent closes nothing.
    await withDeadline(client.end(), CLOSE_MS, () => new Error("time limit")).catch(
      () => undefined,
    );
  }
}
