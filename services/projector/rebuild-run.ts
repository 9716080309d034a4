import type pg from "pg";
import {
  type Position,
  passes,
  type StoredEvent,
  type SubscriptionBatch,
} from "#event-store/port.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { eraseParked } from "./daemon/applier.ts";
import { causeOf, isEventAtFault } from "./daemon/errors.ts";
import { forgetParked, parkBehind, parkStream } from "./daemon/parked.ts";
import {
  isUnopened,
  type OpenedBatch,
  type OpenedEvent,
  openEvents,
  openingOf,
  type Projection,
  type ProjectionRebuild,
} from "./daemon/projection.ts";
import type { RebuildDeps } from "./rebuild.ts";
import { RebuildFailed } from "./rebuild-failed.ts";

/** Attempts at an event before it is parked. */
const TRIES = 2;

/** A part of the log, with the position up to which it was read. */
interface Chunk extends OpenedBatch {
  readonly position: Position;
}

interface Parts {
  readonly projection: Projection;
  readonly tables: ProjectionRebuild;
  /** A connection for this processor alone, since all tables are written in parallel. */
  readonly client: pg.Client;
  readonly epoch: string;
}

/** Fills a processor's new tables. An event that can't be applied fails the rebuild, or is parked with `parks`. */
export class RebuildRun {
  readonly #deps: RebuildDeps;
  readonly #parts: Parts;
  /** Parked events by stream, with the first event's cause. */
  readonly #parked = new Map<string, { readonly cause: string; readonly events: StoredEvent[] }>();
  /** Resolves when all chunks so far are written. */
  written: Promise<void> = Promise.resolve();

  constructor(deps: RebuildDeps, parts: Parts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  get projection(): Projection {
    return this.#parts.projection;
  }

  get tables(): ProjectionRebuild {
    return this.#parts.tables;
  }

  /** Writes a chunk after the previous ones. */
  write(chunk: Chunk): void {
    const { filter } = this.projection;
    const events = chunk.events.filter(({ stored }) => passes(filter, stored));
    this.written = this.written.then(() => this.#writeRange({ ...chunk, events }));
  }

  /** Creates indexes and statistics on the run's own connection, where they may take a long time. */
  async prepare(): Promise<void> {
    const { tables, client } = this.#parts;
    await this.#transaction(() => tables.prepare(client));
  }

  /** Replaces the live processor's parked events with those of this run. */
  async recordParked(sql: pg.ClientBase): Promise<void> {
    const { name } = this.projection;
    await forgetParked(sql, name);
    for (const { cause, events } of this.#parked.values()) {
      const [first, ...behind] = events;
      if (first) await parkStream(sql, name, first, cause, TRIES);
      await parkBehind(sql, name, behind);
    }
  }

  /** Halves a chunk that cannot be written until only the event at fault is left. */
  async #writeRange({ events, keys, position }: Chunk): Promise<void> {
    const [event] = events;
    if (!event) return;
    try {
      await this.#writeWhole({ events, keys, position });
    } catch (error) {
      if (!this.#deps.parks || !isEventAtFault(error)) throw error;
      if (events.length === 1) return this.#retryOrPark(event.stored, position);
      const middle = events.length >> 1;
      const first = events.slice(0, middle);
      const until = first.at(-1)?.stored.position ?? position;
      await this.#writeRange({ events: first, keys, position: until });
      await this.#writeRange({ events: events.slice(middle), keys, position });
    }
  }

  /** Opens the event for this processor alone, which may need fewer of its keys than the others. */
  async #retryOrPark(stored: StoredEvent, position: Position): Promise<void> {
    try {
      const again = await openEvents([stored], openingOf([this.projection]), this.#deps);
      await this.#writeWhole({ ...again, position });
    } catch (error) {
      if (!isEventAtFault(error)) throw error;
      await this.#transaction(() => this.#erase([stored]));
      this.#parked.set(stored.stream, { cause: causeOf(error), events: [stored] });
      const { stream, type: eventType } = stored;
      this.#deps.log.error(
        { processor: this.projection.name, stream, position, eventType, err: error },
        "an event cannot be applied; its stream is parked",
      );
    }
  }

  async #writeWhole({ events: given, keys, position }: Chunk): Promise<void> {
    const waiting: StoredEvent[] = [];
    const events: OpenedEvent[] = [];
    for (const event of given) {
      if (this.#parked.has(event.stored.stream)) waiting.push(event.stored);
      else if (!isUnopened(event)) events.push(event);
      else if (this.#deps.parks) throw event.error;
      else throw failedAt(event.stored, event.error);
    }
    const { tables, client, epoch } = this.#parts;
    await this.#transaction(async () => {
      await this.#erase(waiting);
      if (events.length > 0) await tables.apply(client, { events, keys, position, epoch });
    });
    for (const event of waiting) this.#parked.get(event.stream)?.events.push(event);
  }

  #erase(events: readonly StoredEvent[]): Promise<void> {
    const { client, epoch } = this.#parts;
    return eraseParked(this.tables, client, events, epoch);
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    const { client } = this.#parts;
    await client.query("begin");
    try {
      await work();
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  }
}

function failedAt(at: StoredEvent, error: unknown): RebuildFailed {
  return new RebuildFailed(
    `the event at ${at.position} of ${at.stream} cannot be applied: ${causeOf(error)}`,
    { cause: error },
  );
}

/** How long a rebuild waits for a log that is down. A live subscription waits without a limit. */
export interface LogWaitLimits {
  /** Milliseconds until the wait is reported; 5,000 when absent. */
  readonly warnAfterMs?: number;
  /** Milliseconds without progress until the rebuild fails; 300,000 when absent. */
  readonly limitMs?: number;
}

const WARN_AFTER_MS = 5_000;
const LIMIT_MS = 300_000;
/** The wait is reported again every six intervals. */
const REPEAT = 6;

/**
 * Returns the next batch. @param warn reports a wait's start and end. @throws {RebuildFailed} if nothing comes in
 * time.
 */
export async function nextBatch(
  batches: AsyncIterator<SubscriptionBatch>,
  warn: (sentence: string) => void,
  { warnAfterMs = WARN_AFTER_MS, limitMs = LIMIT_MS }: LogWaitLimits = {},
): Promise<IteratorResult<SubscriptionBatch>> {
  let ticks = 0;
  const timer = setInterval(() => {
    if (ticks % REPEAT === 0)
      warn(
        `The event log is not responding. The rebuild will wait for up to ${formatDuration(limitMs)}; reads still use the live tables.`,
      );
    ticks += 1;
  }, warnAfterMs);
  try {
    const batch = await withDeadline(batches.next(), limitMs, () => timedOut(limitMs));
    if (ticks > 0) warn("The event log is back: the rebuild continues.");
    return batch;
  } finally {
    clearInterval(timer);
  }
}

const timedOut = (limitMs: number) =>
  new RebuildFailed(
    `no response from the event log for ${formatDuration(limitMs)}; the live tables are unchanged. Check that it is reachable (EVENT_STORE_URL), then run the rebuild again`,
  );

const formatDuration = (ms: number) =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${ms / 1000} seconds`;
