import { applyMigrations } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { type BackOffLimits, DEFAULT_BACK_OFF } from "#runtime/lifecycle/back-off.ts";
import { checkBatch } from "../batch.ts";
import { ABORTED, followLog, logRange, orAborted, streamRange } from "../follow-log.ts";
import {
  type AppendResult,
  type EventFilter,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  formatPosition,
  type Position,
  parsePosition,
  type ReadOptions,
  type Revision,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../port.ts";
import { type StoreLog, silent } from "../store-log.ts";
import { AppendQueue } from "./append-queue.ts";
import { HeadWatcher, Notifier } from "./head-watcher.ts";
import { Connections, connectionOptions, isRefusal, readLogPage, readStreamPage } from "./pages.ts";
import { EVENT_LOG_SCHEMA, eventLogMigrations } from "./schema.ts";

export interface PostgresEventStoreOptions {
  readonly connectionString: string;
  /** Limit of each call in milliseconds; 5000 when absent. */
  readonly timeoutMs?: number;
  /** Pause between polls of the log, in case notifications are lost; 1000 when absent. */
  readonly pollMs?: number;
  /** Maximum number of connections, besides the listening one; 4 when absent. */
  readonly maxConnections?: number;
  /** Name shown in `pg_stat_activity`; `event-log` when absent. */
  readonly name?: string;
  /** Delays between attempts when the server is down. */
  readonly backOff?: BackOffLimits;
  readonly log?: StoreLog;
}

const TIMEOUT_MS = 5_000;
const NAME = "event-log";

/**
 * Creates an event log in the schema `event_log` of a PostgreSQL database, 14 or newer. It connects on
 * first use. Reach the server directly or through a pooler in session mode: in transaction mode,
 * notifications are lost, and events are found only at the next poll.
 */
export function createPostgresEventStore(options: PostgresEventStoreOptions): EventStore {
  return new PostgresEventStoreAdapter(options);
}

/**
 * Creates or migrates the schema `event_log`. Any number of processes may do so concurrently.
 * @throws {StoreUnavailable} @throws {SchemaMismatch} nothing changed.
 */
export async function installEventStore(url: string): Promise<void> {
  const pool = openPool({ ...connectionOptions(url, NAME, TIMEOUT_MS), max: 1 });
  try {
    await applyMigrations(pool, EVENT_LOG_SCHEMA, eventLogMigrations);
  } catch (error) {
    const known = ["SchemaMismatch", "CannotStart"].includes((error as Error).name);
    if (known || isRefusal(error)) throw error;
    throw new StoreUnavailable("the event log is unreachable", { cause: error });
  } finally {
    await pool.end();
  }
}

class PostgresEventStoreAdapter implements EventStore {
  readonly positions = "consecutive";
  readonly #connections: Connections;
  readonly #queue: AppendQueue;
  readonly #notifier: Notifier;
  readonly #watcher: HeadWatcher;
  readonly #following: { readonly backOff: BackOffLimits; readonly log: StoreLog };
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(options: PostgresEventStoreOptions) {
    const { connectionString, timeoutMs = TIMEOUT_MS, pollMs = 1_000 } = options;
    const { maxConnections = 4, name = NAME, backOff = DEFAULT_BACK_OFF, log = silent } = options;
    this.#following = { backOff, log };
    this.#connections = new Connections(connectionString, { timeoutMs, maxConnections, name });
    this.#notifier = new Notifier(this.#connections);
    this.#watcher = new HeadWatcher(this.#connections, { pollMs, backOff, log });
    this.#queue = new AppendQueue(this.#connections, {
      timeoutMs,
      onStored: (head) => {
        this.#watcher.advance(head);
        this.#notifier.notify(head);
      },
    });
  }

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const { json, bytes } = checkBatch(stream, events, expected);
    if (this.#closing.signal.aborted) throw new StoreUnavailable("the event log is closed");
    return this.#queue.add(stream, expected, json, bytes);
  }

  async *readStream(
    stream: string,
    from?: Revision | "end",
    options: ReadOptions = {},
  ): AsyncGenerator<StoredEvent, void, undefined> {
    let range = streamRange(from, options);
    while (range.limit > 0) {
      const page = await until(readStreamPage(this.#connections, stream, range), options.signal);
      for (const event of page.events) {
        yield event;
        options.signal?.throwIfAborted();
      }
      const last = page.events.at(-1);
      if (page.done || !last) return;
      const next = last.revision + (range.backwards ? -1 : 1);
      if (next < 0) return;
      range = { ...range, from: next, limit: range.limit - page.events.length };
    }
  }

  async *readAll(
    from?: Position,
    filter?: EventFilter,
    options: ReadOptions = {},
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const { from: start, backwards, limit } = logRange(from, options);
    let left = limit;
    let cursor = start ?? 0n;
    if (backwards) {
      const end = parsePosition(await until(this.head(), options.signal)) + 1n;
      if (start === undefined || start > end) cursor = end;
    }
    while (left > 0) {
      const page = await until(
        readLogPage(this.#connections, cursor, filter, { backwards, limit: left }),
        options.signal,
      );
      for (const event of page.events) {
        yield event;
        options.signal?.throwIfAborted();
      }
      if (page.done) return;
      left -= page.events.length;
      cursor = page.cursor;
    }
  }

  async *subscribeAll(
    from: Position,
    filter: EventFilter | undefined,
    options: SubscribeOptions,
  ): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const source = {
      readAfter: (position: Position, limit: number) => this.#readAfter(position, filter, limit),
      waitBeyond: (position: Position, stop: AbortSignal) =>
        this.#watcher.waitBeyond(position, stop),
    };
    yield* followLog(source, from, { ...options, ...this.#following, signal });
  }

  async head(): Promise<Position> {
    const [row] = await this.#connections.query<{ head: string }>(
      "select coalesce(max(position), 0)::text as head from event_log.event",
      [],
    );
    return formatPosition(row?.head ?? "0");
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#queue.drain(), this.#watcher.close()]);
    await this.#notifier.drain();
    await this.#connections.close();
  }

  async #readAfter(
    after: Position,
    filter: EventFilter | undefined,
    limit: number,
  ): Promise<SubscriptionBatch> {
    const options = { backwards: false, limit };
    const assumed = this.#watcher.head;
    const page = await readLogPage(this.#connections, parsePosition(after), filter, options);
    this.#watcher.correct(assumed, formatPosition(page.head));
    return { events: page.events, position: formatPosition(page.cursor), caughtUp: page.done };
  }
}

/** @throws the signal's reason if it aborts first. */
async function until<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const result = await orAborted(work, signal);
  if (result === ABORTED) throw signal?.reason;
  return result;
}
