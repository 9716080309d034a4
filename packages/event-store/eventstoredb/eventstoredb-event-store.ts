import type { Credentials } from "@eventstore/db-client";
import { type BackOffLimits, DEFAULT_BACK_OFF } from "#runtime/lifecycle/back-off.ts";
import { checkBatch, isStreamName } from "../batch.ts";
import { followLog, logRange, streamRange } from "../follow-log.ts";
import {
  type AppendResult,
  type EventFilter,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  formatPosition,
  type Position,
  passes,
  type ReadOptions,
  type Revision,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../port.ts";
import { type StoreLog, silent } from "../store-log.ts";
import { Appender } from "./appender.ts";
import { ClusterClient } from "./cluster-client.ts";
import { normalUrl, readConnectionString } from "./connection-string.ts";
import { type Connections, ReplacedConnections } from "./connections.ts";
import { LogReader, PAGE_EVENTS } from "./log-reader.ts";
import { isOfTheLog, positionOf, StreamIds, toStored } from "./records.ts";
import { Subscriber } from "./subscriber.ts";
import { TailWatcher } from "./tail-watcher.ts";

export interface EventStoreDBOptions {
  /** `esdb://` or `esdb+discover://`; see docs/configuration.md for its parameters. */
  readonly connectionString: string;
  /** Limit of each call in milliseconds; 5000 when absent. */
  readonly timeoutMs?: number;
  /** Pause between polls of the end of the log, in case the subscription goes silent; 1000 when absent. */
  readonly pollMs?: number;
  /** Distance to the head, in bytes of the log, beyond which the server filters; 4 MiB when absent. */
  readonly scanBytes?: number;
  /** Delays between attempts when the server is down. */
  readonly backOff?: BackOffLimits;
  readonly log?: StoreLog | undefined;
}

/** Creates an event log on EventStoreDB 22.6 or newer. Stores with the same URL share a client. @throws {TypeError} */
export function createEventStoreDBEventStore(options: EventStoreDBOptions): EventStore {
  return new EventStoreDBEventStore(shareClient(options.connectionString, options.log), options);
}

class EventStoreDBEventStore implements EventStore {
  /** Positions are offsets in the server's own log, which contains more than the registry's events. */
  readonly positions = "ascending";
  readonly #shared: SharedClient;
  readonly #reader: LogReader;
  readonly #appender: Appender;
  readonly #tail: TailWatcher;
  readonly #ids = new StreamIds();
  readonly #following: { readonly backOff: BackOffLimits; readonly log: StoreLog };
  readonly #scanning: { readonly scanBytes: bigint; readonly timeoutMs: number };
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(shared: SharedClient, options: EventStoreDBOptions) {
    const { timeoutMs = 5_000, pollMs = 1_000, scanBytes = 4 * 1_048_576 } = options;
    const { backOff = DEFAULT_BACK_OFF, log = silent } = options;
    this.#shared = shared;
    this.#following = { backOff, log };
    this.#scanning = { scanBytes: BigInt(scanBytes), timeoutMs };
    this.#reader = new LogReader(shared.connections, timeoutMs);
    this.#appender = new Appender(shared.connections, this.#reader, this.#ids, {
      timeoutMs,
      credentials: shared.appendCredentials,
    });
    this.#tail = new TailWatcher(shared.connections, (signal) => this.#reader.head(signal), {
      pollMs,
      backOff,
      log,
    });
  }

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const { json } = checkBatch(stream, events, expected);
    this.#throwIfClosed();
    // Copied, because the caller may change its objects before they are sent.
    const batch = JSON.parse(json) as EventToAppend[];
    const result = await this.#appender.append(stream, batch, expected);
    this.#tail.advance(result.position);
    return result;
  }

  async *readStream(
    stream: string,
    from?: Revision | "end",
    options: ReadOptions = {},
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const { from: start, backwards, limit } = streamRange(from, options);
    const signal = this.#reading(options);
    if (!isStreamName(stream)) return;
    let cursor = start;
    for (let left = limit; left > 0; ) {
      const page = await this.#reader.streamPage(stream, cursor, {
        backwards,
        limit: left,
        signal,
      });
      for (const event of page.events) {
        const stored = toStored(event);
        if (!backwards) this.#ids.note(stream, stored.revision, stored.id);
        yield stored;
        options.signal?.throwIfAborted();
        cursor = stored.revision + (backwards ? -1 : 1);
        left -= 1;
      }
      if (page.done || page.events.length === 0 || (cursor ?? 0) < 0) return;
    }
  }

  async *readAll(
    from?: Position,
    filter?: EventFilter,
    options: ReadOptions = {},
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const { from: start, backwards, limit } = logRange(from, options);
    const signal = this.#reading(options);
    let cursor = start;
    for (let left = limit; left > 0; ) {
      const page = await this.#reader.logPage(cursor, {
        backwards,
        limit: filter ? PAGE_EVENTS : left,
        signal,
      });
      for (const event of page.events) {
        cursor = positionOf(event);
        if (!isOfTheLog(event)) continue;
        if (!passes(filter, { stream: event.streamId, type: event.type })) continue;
        yield toStored(event);
        options.signal?.throwIfAborted();
        left -= 1;
        if (left === 0) return;
      }
      if (page.done) return;
    }
  }

  async *subscribeAll(
    from: Position,
    filter: EventFilter | undefined,
    options: SubscribeOptions,
  ): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const source = new Subscriber(this.#shared.connections, this.#reader, this.#tail, {
      ...this.#scanning,
      filter,
      signal,
    });
    yield* followLog(source, from, { ...options, ...this.#following, signal });
  }

  async head(): Promise<Position> {
    const head = formatPosition(await this.#reader.head(this.#reading({})));
    this.#tail.advance(head);
    return head;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new StoreUnavailable("the event log is closed"));
    await Promise.all([this.#appender.drain(), this.#tail.close()]);
    await this.#shared.release();
  }

  /** Aborts a read when the caller's signal does, or when the store closes. */
  #reading({ signal }: ReadOptions): AbortSignal {
    signal?.throwIfAborted();
    this.#throwIfClosed();
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  #throwIfClosed(): void {
    this.#closing.signal.throwIfAborted();
  }
}

/** The process's connections for one URL, and the credentials for its appends. */
export interface SharedClient {
  readonly connections: Connections<ClusterClient>;
  /**
   * Pass these to every append, so that it gets its own call. Without them, the appends of all
   * clients of a process share tables in the library: one lost connection then fails them all, and
   * the reply to a failed one ends the process. Undefined if the server accepts only a certificate.
   */
  readonly appendCredentials: Credentials | undefined;
  /** Takes effect once. Call it when no call is in flight. */
  release(): Promise<void>;
}

interface Entry {
  readonly connections: ReplacedConnections<ClusterClient>;
  readonly appendCredentials: Credentials | undefined;
  users: number;
}

/** Shared connections by URL. All are closed together, since disposing of a client breaks calls of others. */
const entries = new Map<string, Entry>();

/**
 * Returns the process's one client for a URL, and creates it if there is none. All its users move over
 * when it is replaced.
 * @param log records replacements; the first user's log is used.
 * @throws {TypeError} if the URL is invalid; the message repeats no part of it.
 */
export function shareClient(anyCase: string, log?: StoreLog): SharedClient {
  const url = normalUrl(anyCase);
  let entry = entries.get(url);
  if (!entry) {
    const parsed = readConnectionString(url);
    const open = () => new ClusterClient(parsed);
    const { appendCredentials } = parsed;
    entry = { connections: new ReplacedConnections(open, log), appendCredentials, users: 0 };
    entries.set(url, entry);
  }
  const { connections, appendCredentials } = entry;
  entry.users += 1;
  const held = entry;
  let released = false;
  return {
    connections,
    appendCredentials,
    async release() {
      if (released) return;
      released = true;
      held.users -= 1;
      if ([...entries.values()].some(({ users }) => users > 0)) return;
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(all.map((each) => each.connections.close()));
    },
  };
}
