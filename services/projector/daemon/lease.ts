import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { readModelTypes } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { createClient } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { ProcessorStopped } from "./errors.ts";

export interface LeaseTimes {
  /** How often the owner sends a heartbeat. */
  readonly beatMs: number;
  /** An owner without a heartbeat for this long is disconnected. It gives up by itself if it gets no answers. */
  readonly staleMs: number;
  /** How often a standby tries to take over. */
  readonly pollMs: number;
}

export const LEASE_TIMES: LeaseTimes = { beatMs: 3000, staleMs: 15_000, pollMs: 500 };

/** A transaction idle for this long was left behind by a frozen process. The server ends it. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** A statement that takes this long is canceled, and the lease is lost. */
const STATEMENT_MS = 60_000;

/**
 * A query with its own time limit, which `pg` reads but its types lack. @param limitMs until the connection is
 * given up.
 */
function limited(limitMs: number, text: string, values: unknown[]): pg.QueryConfig {
  const query = { text, values, query_timeout: limitMs };
  return query;
}

/**
 * The right to write a processor's tables: an advisory lock held by one dedicated connection, through
 * which all writes go. Losing the connection releases the lock and rolls back the open transaction.
 * The token is compared with every checkpoint's, which keeps previous holders out.
 */
export class Lease {
  readonly processor: ProcessorName;
  readonly token = randomUUID();
  readonly client: pg.Client;
  readonly lost: AbortSignal;
  readonly #lost = new AbortController();
  readonly #beats: pg.Pool;
  #timer: NodeJS.Timeout | undefined;
  /** When the database last accepted a heartbeat. */
  #beatAt = 0;

  constructor(processor: ProcessorName, client: pg.Client, beats: pg.Pool) {
    this.processor = processor;
    this.client = client;
    this.lost = this.#lost.signal;
    this.#beats = beats;
    const lose = () => this.#lose();
    client.on("error", lose);
    client.on("end", lose);
  }

  /** @throws {ProcessorStopped} `lease_lost` */
  assertHeld(): void {
    if (this.lost.aborted)
      throw new ProcessorStopped("lease_lost", `the lease of ${this.processor} is lost`);
  }

  /**
   * Locks and records the holder in one statement: a process that froze between the two would hold
   * a lock that no one can trace to it.
   * @returns whether this connection now holds the lock; if so, its heartbeat has started.
   */
  async tryBegin(times: LeaseTimes): Promise<boolean> {
    const { rowCount } = await this.client.query(
      limited(
        times.staleMs,
        `insert into processor.lease (processor, token, pid, beat_at)
         select $1, $2, pg_backend_pid(), now() where pg_try_advisory_lock(hashtextextended($3, 0))
         on conflict (processor) do update
           set token = excluded.token, pid = excluded.pid, beat_at = excluded.beat_at`,
        [this.processor, this.token, `processor:${this.processor}`],
      ),
    );
    if (rowCount === 0) return false;
    this.#beatAt = performance.now();
    this.#timer = setInterval(() => void this.#beat(times.staleMs), times.beatMs);
    this.#timer.unref();
    return true;
  }

  /** Closes the connection, which releases the lock. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await closed(this.client);
  }

  async #beat(staleMs: number): Promise<void> {
    try {
      const { rowCount } = await this.#beats.query(
        "update processor.lease set beat_at = now() where processor = $1 and token = $2",
        [this.processor, this.token],
      );
      this.#beatAt = performance.now();
      if (rowCount === 0) this.#lose();
    } catch {
      // The database is down. The dedicated connection shows whether the lease is lost, unless nothing answers on
      // it.
      if (performance.now() - this.#beatAt < staleMs) return;
      this.#lose();
      await closed(this.client);
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort();
  }
}

export interface LeaseOptions {
  readonly processor: ProcessorName;
  /** URL of the read models' database. */
  readonly url: string;
  /** For heartbeats only: waiting behind other work would lose healthy leases. */
  readonly beats: pg.Pool;
  /** Whether commits may return before they are on disk. */
  readonly relaxed: boolean;
  readonly times: LeaseTimes;
  readonly signal: AbortSignal;
  /** Called once when another process holds the lease. */
  readonly onStandby: () => void;
}

/** Waits until this process owns the processor. @throws when the signal aborts or the database is unreachable. */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
  const { processor, times, signal } = options;
  const client = createClient({
    url: options.url,
    types: readModelTypes,
    name: `projector ${processor}`,
    prepares: true,
    statementMs: STATEMENT_MS,
    settings: [
      `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
      ...(options.relaxed ? ["set synchronous_commit = off"] : []),
    ],
  });
  const lease = new Lease(processor, client, options.beats);
  try {
    await client.connect();
    for (let told = false; !(await lease.tryBegin(times)); told = true) {
      if (!told) options.onStandby();
      await endStaleOwner(client, processor, times.staleMs);
      await delay(times.pollMs * (0.75 + Math.random() / 2), undefined, { signal });
    }
    signal.throwIfAborted();
    return lease;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/**
 * Ends a frozen owner's connection. This releases its lock and rolls back its transaction. The
 * query has its own time limit, since a connection waiting for the lease has no heartbeat.
 */
async function endStaleOwner(
  client: pg.Client,
  processor: ProcessorName,
  staleMs: number,
): Promise<void> {
  await client.query(
    limited(
      staleMs,
      `select pg_terminate_backend(held.pid)
     from processor.lease
     join pg_locks held on held.pid = lease.pid and held.locktype = 'advisory' and held.granted
       and held.database = (select oid from pg_database where datname = current_database())
       and ((held.classid::bigint << 32) | held.objid::bigint) = hashtextextended($2, 0)
     where lease.processor = $1 and lease.beat_at < now() - make_interval(secs => $3)`,
      [processor, `processor:${processor}`, staleMs / 1000],
    ),
  );
}

async function closed(client: pg.Client): Promise<void> {
  // A connection that no longer answers ends by itself, so don't wait for it.
  await withDeadline(client.end(), 2000, () => new Error("time limit")).catch(() => undefined);
}
