import { handleType, IterableBackoff, retry } from "cockatiel";
import type pg from "pg";
import type { Logger } from "pino";
import {
  type EventFilter,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
  type SubscriptionBatch,
} from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { readModelTypes } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { tryLock } from "#runtime/db/lock.ts";
import { createClient } from "#runtime/db/pool.ts";
import { type KeyLookup, type KeyStore, KeyStoreUnavailable } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import {
  announceCheckpoint,
  lockCheckpoint,
  readCheckpoint,
  replaceCheckpoint,
} from "./daemon/checkpoint.ts";
import {
  type OpenedBatch,
  type OpenedEvent,
  type Opening,
  OpeningStopped,
  openEvents,
  openingOf,
  type Projection,
  type UnopenedEvent,
} from "./daemon/projection.ts";
import { RebuildFailed, RebuildRuns } from "./rebuild-failed.ts";
import { type LogWaitLimits, nextBatch, RebuildRun } from "./rebuild-run.ts";

export interface RebuildDeps {
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly log: Pick<Logger, "info" | "error">;
  /** Approximate number of events in a transaction; 4000 when absent. */
  readonly batchSize?: number;
  /** Called after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Receives a sentence when the rebuild starts waiting for the event log, and when the log is back. */
  readonly warn?: (sentence: string) => void;
  readonly logWait?: LogWaitLimits;
  /** Whether an event that cannot be applied is parked with its stream, as the live processor does. */
  readonly parks?: boolean;
  /** Called under the locks, because another process may have rebuilt the tables since the caller's check. */
  readonly isDue?: (projection: Projection) => Promise<boolean>;
  readonly signal?: AbortSignal;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
}

export interface RebuildReport extends RebuildProgress {
  readonly processors: readonly ProcessorName[];
  /** Milliseconds for the rows, for indexes and statistics, and in total. */
  readonly fillMs: number;
  readonly indexMs: number;
  readonly totalMs: number;
}

/**
 * Fills new tables beside the live ones from the first event on, and swaps them in once they are at
 * least as new. The log is read and opened once for all of them, while readers and the projector
 * continue. A rebuild that was interrupted at any point can be started again.
 * @throws {RebuildFailed} if an event cannot be applied, another rebuild is running, or the log was
 * restored or down for too long in the meantime.
 * @throws {KeyMissing} @throws {KeyStoreUnavailable} @throws {StoreUnavailable}
 */
export async function rebuild(
  deps: RebuildDeps,
  projections: readonly Projection[],
): Promise<RebuildReport> {
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = createClient({
      url: deps.url,
      types: readModelTypes,
      name: "projector rebuild",
      // Indexes of large tables take as long as they need.
      statementMs: "unlimited",
      settings: [
        "set synchronous_commit = off",
        // New tables have no statistics yet, so the planner would scan them fully for each batch.
        "set enable_seqscan = off",
      ],
    });
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    return await new Rebuild(deps, projections, connect).run();
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const BATCH_SIZE = 4000;

/** Number of events that are read and opened at once. */
const PAGE_SIZE = 500;

/** Number of chunks in memory: while slow tables catch up on one, the next is read. */
const HELD_CHUNKS = 2;

/** A short outage of the key store must not waste an hour of work. */
const outages = retry(handleType(KeyStoreUnavailable), {
  maxAttempts: 3,
  backoff: new IterableBackoff([500, 2000, 5000]),
});

interface Chunk extends OpenedBatch {
  readonly position: Position;
  readonly caughtUp: boolean;
}

class Rebuild {
  readonly #deps: RebuildDeps;
  readonly #projections: readonly Projection[];
  readonly #connect: () => Promise<pg.Client>;
  readonly #opening: Opening;
  readonly #filter: EventFilter | undefined;
  readonly #runs: RebuildRun[] = [];
  #events = 0;
  #position = START;
  #epoch = "";
  #begunAt = new Date(0);
  /** Whether the connection that holds the locks was lost. Another rebuild may then use the same tables. */
  #lostLock = false;

  constructor(
    deps: RebuildDeps,
    projections: readonly Projection[],
    connect: () => Promise<pg.Client>,
  ) {
    this.#deps = deps;
    // Locks are always taken in the same order.
    this.#projections = projections.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#connect = connect;
    // Each projection decides for itself how to handle an unknown event.
    this.#opening = openingOf(projections);
    this.#filter = filterOf(projections);
  }

  async run(): Promise<RebuildReport> {
    const start = performance.now();
    this.#begunAt = new Date((this.#deps.now ?? Date.now)());
    const owner = await this.#lock();
    await this.#assertDue();
    const epoch = await readEpoch(this.#deps.store);
    if (!epoch) throw new RebuildFailed("the event log was not started yet");
    this.#epoch = epoch;
    try {
      await this.#begin();
      await this.#fill();
      const filled = performance.now();
      await this.#prepare();
      const indexed = performance.now();
      await this.#fill();
      await this.#swap(owner);
      for (const { tables } of this.#runs) await tables.discardOld();
      return {
        processors: this.#projections.map(({ name }) => name),
        events: this.#events,
        position: this.#position,
        fillMs: Math.round(filled - start),
        indexMs: Math.round(indexed - filled),
        totalMs: Math.round(performance.now() - start),
      };
    } catch (error) {
      // New tables that cannot be dropped now are dropped later, by a rebuild or by the projector.
      if (!this.#lostLock)
        for (const { tables } of this.#runs) await tables.abort().catch(() => undefined);
      throw error;
    }
  }

  /** Allows one rebuild of a processor at a time, across all processes. The lock ends with its connection. */
  async #lock(): Promise<pg.Client> {
    const owner = await this.#connect();
    owner.once("end", () => {
      this.#lostLock = true;
    });
    for (const { name } of this.#projections) {
      if (!(await tryLock(owner, rebuildLock(name))))
        throw new RebuildRuns(`another rebuild of ${name} is running`);
    }
    return owner;
  }

  async #assertDue(): Promise<void> {
    const { isDue = async () => true } = this.#deps;
    for (const projection of this.#projections)
      if (!(await isDue(projection)))
        throw new RebuildRuns(`another rebuild of ${projection.name} has just ended`);
  }

  async #begin(): Promise<void> {
    const { pool } = this.#deps;
    for (const projection of this.#projections) {
      if (!projection.rebuild) throw new RebuildFailed(`${projection.name} cannot be rebuilt`);
      const client = await this.#connect();
      const tables = await projection.rebuild(pool);
      const parts = { projection, tables, client, epoch: this.#epoch };
      this.#runs.push(new RebuildRun(this.#deps, parts));
    }
  }

  /** Creates all indexes in parallel, and waits for all of them, so that nothing runs on dropped tables. */
  async #prepare(): Promise<void> {
    const preparing = this.#runs.map((run) => run.prepare());
    await Promise.allSettled(preparing);
    await Promise.all(preparing);
  }

  /** Reads up to the log's end, or `goal`; the next chunks are read while others are written. */
  async #fill(goal?: Position): Promise<void> {
    const { store, batchSize = BATCH_SIZE } = this.#deps;
    const ending = new AbortController();
    const signal = AbortSignal.any([
      ending.signal,
      ...(this.#deps.signal ? [this.#deps.signal] : []),
    ]);
    const options = { signal, batchSize: Math.min(batchSize, PAGE_SIZE) };
    const batches = store
      .subscribeAll(this.#position, this.#filter, options)
      [Symbol.asyncIterator]();
    const writing: Promise<void>[] = [];
    try {
      for (;;) {
        const chunk = await this.#gather(batches, batchSize);
        if (this.#lostLock) throw new RebuildFailed("the rebuild lost its lock: run it again");
        writing.push(this.#write(chunk));
        const isLast = goal === undefined ? chunk.caughtUp : chunk.position >= goal;
        if (isLast) break;
        if (writing.length >= HELD_CHUNKS) await writing.shift();
      }
      await Promise.all(writing);
    } finally {
      ending.abort();
      // Waits for all runs, even after one failed, so that nothing else runs if the tables are
      // dropped.
      await Promise.allSettled(this.#runs.map(({ written }) => written));
      await batches.return?.(undefined);
    }
  }

  /** Combines pages until one is not full, so that several changes to a report are one row. */
  async #gather(batches: AsyncIterator<SubscriptionBatch>, batchSize: number): Promise<Chunk> {
    const events: (OpenedEvent | UnopenedEvent)[] = [];
    const keys = new Map<string, KeyLookup>();
    const { warn = () => undefined, logWait } = this.#deps;
    for (;;) {
      const { value: batch, done } = await nextBatch(batches, warn, logWait);
      if (done) throw new RebuildFailed("the event log ended its subscription");
      events.push(...(await this.#open(batch.events, keys)).events);
      const { position, caughtUp } = batch;
      const isCut = batch.events.length < Math.min(batchSize, PAGE_SIZE);
      if (caughtUp || isCut || events.length >= batchSize)
        return { events, keys, position, caughtUp };
    }
  }

  #open(events: readonly StoredEvent[], keys: Map<string, KeyLookup>): Promise<OpenedBatch> {
    const opened = () => openEvents(events, this.#opening, this.#deps, keys);
    return outages.execute(opened).catch((error) => {
      throw error instanceof OpeningStopped ? error.cause : error;
    });
  }

  /** Resolves when all tables have the chunk. Each writes its chunks in order. */
  #write(chunk: Chunk): Promise<void> {
    const { events, position } = chunk;
    for (const run of this.#runs) run.write(chunk);
    const written = Promise.all(this.#runs.map((run) => run.written)).then(() => {
      this.#events += events.length;
      this.#position = position;
      this.#deps.onProgress?.({ events: this.#events, position });
    });
    // The caller awaits it later, and may still be reading when it fails.
    written.catch(() => undefined);
    return written;
  }

  /** Swaps under the checkpoints' locks, so that the new tables have seen all that the live ones have. */
  async #swap(owner: pg.Client): Promise<void> {
    const { store, log } = this.#deps;
    await owner.query("begin");
    try {
      let goal = this.#position;
      for (const { name } of this.#projections) {
        const live = await lockCheckpoint(owner, name);
        if (live && live > goal) goal = live;
      }
      if ((await readEpoch(store)) !== this.#epoch)
        throw new RebuildFailed("the log was restored during the rebuild: run it again");
      // After the log was set back, a live checkpoint may be past the head, which no event reaches.
      const head = await store.head();
      if (goal > head) goal = head;
      if (goal > this.#position) await this.#fill(goal);
      for (const run of this.#runs) {
        const { projection, tables } = run;
        const to = { position: this.#position, epoch: this.#epoch };
        await tables.swap(owner);
        await replaceCheckpoint(owner, projection.name, to, this.#begunAt);
        await run.recordParked(owner);
      }
      await owner.query("commit");
    } catch (error) {
      await owner.query("rollback").catch(() => undefined);
      throw error;
    }
    for (const { name } of this.#projections) {
      const checkpoint = await readCheckpoint(owner, name);
      if (checkpoint) await announceCheckpoint(owner, checkpoint);
      log.info({ processor: name, position: this.#position }, "new tables are live");
    }
  }
}

/** Name of the advisory lock that a rebuild holds while it runs. */
export function rebuildLock(processor: ProcessorName): string {
  return `rebuild:${processor}`;
}

/** Returns a filter for the events that at least one of the projections receives. */
function filterOf(projections: readonly Projection[]): EventFilter | undefined {
  const filters = projections.map(({ filter }) => filter);
  const prefixes = new Set<string>();
  for (const filter of filters) {
    if (!filter?.streamPrefixes || filter.types) return undefined;
    for (const prefix of filter.streamPrefixes) prefixes.add(prefix);
  }
  return { streamPrefixes: [...prefixes] };
}
