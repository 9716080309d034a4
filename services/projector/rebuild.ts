import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { passes } from "#event-store/filter.ts";
import { readEpoch } from "#event-store/log-epoch.ts";
import {
  type EventFilter,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
  type SubscriptionBatch,
} from "#event-store/port.ts";
import { type KeyStore, KeyStoreUnavailable } from "#kit/keys/key-store.ts";
import { readModelTypes } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import {
  announceCheckpoint,
  lockCheckpoint,
  readCheckpoint,
  replaceCheckpoint,
} from "./daemon/checkpoint.ts";
import { causeOf } from "./daemon/errors.ts";
import { isUnopened, type OpenedBatch, type Opening, openEvents } from "./daemon/opening.ts";
import { forgetParked } from "./daemon/parked.ts";
import type {
  OpenedEvent,
  Projection,
  ProjectionRebuild,
  RegistryCodec,
} from "./daemon/projection.ts";

export interface RebuildDeps {
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly log: Pick<Logger, "info">;
  /** Events a transaction; 500 when absent. */
  readonly batchSize?: number;
  /** Told after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly events: number;
  readonly position: Position;
}

export interface RebuildReport extends RebuildProgress {
  readonly processors: readonly ProcessorName[];
  /** Milliseconds for the rows, for indexes and statistics, and for all of it. */
  readonly fillMs: number;
  readonly indexMs: number;
  readonly totalMs: number;
}

/** The rebuild was given up; the live tables are as they were. */
export class RebuildFailed extends Error {
  override readonly name = "RebuildFailed";
}

/**
 * Fills new tables beside the live ones from the first event on, reading and opening the log once
 * for all of them, and swaps them in when they are at least as new. Reads and the projector go on
 * meanwhile. Cut off at any point, it can be started again.
 * @throws {RebuildFailed} an event cannot be applied, another rebuild runs, the log was restored
 *   meanwhile. @throws {KeyMissing} @throws {KeyStoreUnavailable} @throws {StoreUnavailable}
 */
export async function rebuild(
  deps: RebuildDeps,
  projections: readonly Projection[],
): Promise<RebuildReport> {
  const writer = new pg.Client({
    connectionString: deps.url,
    types: readModelTypes,
    application_name: "projector rebuild",
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // What breaks the connection fails the statement at hand.
  writer.on("error", () => undefined);
  await writer.connect();
  try {
    await writer.query("set synchronous_commit = off");
    return await new Rebuild(deps, projections, writer).run();
  } finally {
    await writer.end().catch(() => undefined);
  }
}

/** Pauses before the key store is asked again. */
const KEY_STORE_RETRY_MS = [500, 2000, 5000];

interface Run {
  readonly projection: Projection;
  readonly tables: ProjectionRebuild;
}

class Rebuild {
  readonly #deps: RebuildDeps;
  readonly #projections: readonly Projection[];
  readonly #writer: pg.Client;
  readonly #opening: Opening;
  readonly #filter: EventFilter | undefined;
  readonly #runs: Run[] = [];
  #events = 0;
  #position = START;
  #epoch = "";

  constructor(deps: RebuildDeps, projections: readonly Projection[], writer: pg.Client) {
    this.#deps = deps;
    // Locks are always taken in one order.
    this.#projections = projections.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#writer = writer;
    this.#opening = openingOf(projections);
    this.#filter = filterOf(projections);
  }

  async run(): Promise<RebuildReport> {
    const start = performance.now();
    await this.#lock();
    const epoch = await readEpoch(this.#deps.store);
    if (!epoch) throw new RebuildFailed("the event log was not started yet");
    this.#epoch = epoch;
    try {
      await this.#begin();
      await this.#fill();
      const filled = performance.now();
      for (const { tables } of this.#runs) await tables.prepare();
      const indexed = performance.now();
      await this.#fill();
      await this.#swap();
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
      // New tables that cannot be dropped now are dropped by the next rebuild, or the projector.
      for (const { tables } of this.#runs) await tables.abort().catch(() => undefined);
      throw error;
    }
  }

  /** One rebuild of a processor at a time, in all processes. The lock goes with the connection. */
  async #lock(): Promise<void> {
    for (const { name } of this.#projections) {
      const { rows } = await this.#writer.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
        [rebuildLock(name)],
      );
      if (!rows[0]?.locked) throw new RebuildFailed(`another rebuild of ${name} runs`);
    }
  }

  async #begin(): Promise<void> {
    const { pool } = this.#deps;
    for (const projection of this.#projections) {
      if (!projection.rebuild) throw new RebuildFailed(`${projection.name} cannot be rebuilt`);
      this.#runs.push({ projection, tables: await projection.rebuild(pool) });
    }
  }

  /** Reads on to the end of the log as it is at the time. */
  async #fill(): Promise<void> {
    const { store, batchSize = 500, onProgress } = this.#deps;
    const ending = new AbortController();
    const { signal } = ending;
    const batches = store
      .subscribeAll(this.#position, this.#filter, { signal, batchSize })
      [Symbol.asyncIterator]();
    // The next stretch is read and opened while this one is written.
    let next = this.#pull(batches);
    try {
      for (;;) {
        const pulled = await next;
        if (!pulled) throw new RebuildFailed("the event log ended its subscription");
        const { batch, opened } = pulled;
        if (!batch.caughtUp) {
          next = this.#pull(batches);
          next.catch(() => undefined);
        }
        await this.#writer.query("begin");
        try {
          await this.#write(opened, batch.position);
          await this.#writer.query("commit");
        } catch (error) {
          await this.#writer.query("rollback").catch(() => undefined);
          throw error;
        }
        this.#position = batch.position;
        onProgress?.({ events: this.#events, position: this.#position });
        if (batch.caughtUp) return;
      }
    } finally {
      ending.abort();
      await next.catch(() => undefined);
      await batches.return?.(undefined);
    }
  }

  async #pull(batches: AsyncIterator<SubscriptionBatch>) {
    const { value: batch, done } = await batches.next();
    if (done) return undefined;
    return { batch, opened: await this.#open(batch.events) };
  }

  /** A key store that is away for a moment does not undo the work of an hour. */
  async #open(events: readonly StoredEvent[]): Promise<OpenedBatch> {
    for (const ms of KEY_STORE_RETRY_MS) {
      try {
        return await openEvents(events, this.#opening, this.#deps);
      } catch (error) {
        if (!(error instanceof KeyStoreUnavailable)) throw error;
        await delay(ms);
      }
    }
    return openEvents(events, this.#opening, this.#deps);
  }

  async #write({ events, keys }: OpenedBatch, position: Position): Promise<void> {
    const opened = events.map((event): OpenedEvent => {
      if (!isUnopened(event)) return event;
      throw this.#failed(event.stored, event.error);
    });
    for (const { projection, tables } of this.#runs) {
      const own = opened.filter(({ stored }) => passes(projection.filter, stored));
      const unknown = own.find(({ event }) => event === undefined);
      if (unknown && !projection.takesUnknown)
        throw this.#failed(unknown.stored, new Error("its type is unknown here"));
      if (own.length > 0)
        await tables.apply(this.#writer, { events: own, keys, position, epoch: this.#epoch });
    }
    this.#events += events.length;
  }

  #failed(at: { stream: string; position: Position }, error: unknown): RebuildFailed {
    return new RebuildFailed(
      `the event at ${at.position} of ${at.stream} cannot be applied: ${causeOf(error)}`,
      { cause: error },
    );
  }

  /** Under the lock of the checkpoints: what the live tables have seen, the new ones have seen. */
  async #swap(): Promise<void> {
    const { store } = this.#deps;
    await this.#writer.query("begin");
    try {
      let goal = this.#position;
      for (const { name } of this.#projections) {
        const live = await lockCheckpoint(this.#writer, name);
        if (live && live > goal) goal = live;
      }
      if ((await readEpoch(store)) !== this.#epoch)
        throw new RebuildFailed("the log was restored meanwhile: start again");
      // A live checkpoint beyond the head, of a log that was set back, is no goal.
      const head = await store.head();
      if (goal > head) goal = head;
      await this.#reach(goal);
      for (const { projection, tables } of this.#runs) {
        const to = { position: this.#position, epoch: this.#epoch };
        await tables.swap(this.#writer);
        await replaceCheckpoint(this.#writer, projection.name, to);
        await forgetParked(this.#writer, projection.name);
      }
      await this.#writer.query("commit");
    } catch (error) {
      await this.#writer.query("rollback").catch(() => undefined);
      throw error;
    }
    for (const { name } of this.#projections) {
      const checkpoint = await readCheckpoint(this.#writer, name);
      if (checkpoint) await announceCheckpoint(this.#writer, checkpoint);
      this.#deps.log.info({ processor: name, position: this.#position }, "new tables are live");
    }
  }

  /** Reads on to `goal`, inside the open transaction. */
  async #reach(goal: Position): Promise<void> {
    if (this.#position >= goal) return;
    const { store, batchSize = 500 } = this.#deps;
    const ending = new AbortController();
    const options = { signal: ending.signal, batchSize };
    try {
      for await (const batch of store.subscribeAll(this.#position, this.#filter, options)) {
        await this.#write(await this.#open(batch.events), batch.position);
        this.#position = batch.position;
        if (this.#position >= goal) return;
      }
    } finally {
      ending.abort();
    }
  }
}

/** Name of the advisory lock that a rebuild holds as long as it runs. */
export function rebuildLock(processor: ProcessorName): string {
  return `rebuild:${processor}`;
}

function openingOf(projections: readonly Projection[]): Opening {
  const openers = projections.filter(({ opens }) => opens);
  return {
    opens: openers.length > 0,
    // Each projection says for itself what it does with an unknown event.
    takesUnknown: true,
    keysOf: (event) =>
      openers.flatMap((projection) =>
        passes(projection.filter, event) ? projection.keysOf(event) : [],
      ),
  };
}

/** What any of them gets. */
function filterOf(projections: readonly Projection[]): EventFilter | undefined {
  const filters = projections.map(({ filter }) => filter);
  const prefixes = new Set<string>();
  for (const filter of filters) {
    if (!filter?.streamPrefixes || filter.types) return undefined;
    for (const prefix of filter.streamPrefixes) prefixes.add(prefix);
  }
  return { streamPrefixes: [...prefixes] };
}
