import { setImmediate as turn } from "node:timers/promises";
import { type CheckedBatch, checkBatch } from "../batch.ts";
import { followLog, logRange, streamRange } from "../follow-log.ts";
import { KnownHead } from "../known-head.ts";
import {
  type AppendResult,
  type EventFilter,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  formatPosition,
  InvalidBatch,
  type Position,
  parsePosition,
  passes,
  type ReadOptions,
  type Revision,
  RevisionConflict,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../port.ts";

/** Creates an event log in memory, for tests: it behaves like the others and is lost with the process. */
export function createMemoryEventStore(): EventStore {
  return new MemoryEventStore();
}

/** An event as text, so that changing what was read does not change what is stored. */
interface Entry {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  readonly json: string;
}

class MemoryEventStore implements EventStore {
  readonly positions = "consecutive";
  /** The event at position n is at index n - 1. */
  readonly #log: Entry[] = [];
  /** Positions by stream, in the order of revisions. */
  readonly #streams = new Map<string, number[]>();
  readonly #positions = new Map<string, number>();
  readonly #closing = new AbortController();
  readonly #known = new KnownHead();

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const batch = checkBatch(stream, events, expected);
    await this.#turn();
    const next = expected === "no_stream" ? 0 : expected + 1;
    const stored = this.#find(batch, stream, next);
    if (stored === "whole") return this.#resultAt(stream, next + events.length - 1);
    if (stored === "partly")
      throw new InvalidBatch(
        "some events of the batch are already stored, in another place or in part",
      );
    const length = this.#streams.get(stream)?.length ?? 0;
    if (length !== next)
      throw new RevisionConflict(stream, length === 0 ? "no_stream" : length - 1);
    this.#store(stream, next, JSON.parse(batch.json));
    return this.#resultAt(stream, next + events.length - 1);
  }

  async *readStream(
    stream: string,
    from?: Revision | "end",
    options?: ReadOptions,
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const range = streamRange(from, options);
    await this.#turn();
    const positions = this.#streams.get(stream) ?? [];
    const last = positions.length - 1;
    let revision = range.backwards ? Math.min(range.from ?? last, last) : (range.from ?? 0);
    for (let left = range.limit; left > 0; left -= 1) {
      options?.signal?.throwIfAborted();
      const position = positions[revision];
      if (position === undefined) return;
      yield this.#read(position);
      revision += range.backwards ? -1 : 1;
    }
  }

  async *readAll(
    from?: Position,
    filter?: EventFilter,
    options?: ReadOptions,
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const range = logRange(from, options);
    await this.#turn();
    const step = range.backwards ? -1 : 1;
    const end = this.#log.length + 1;
    const start = range.from === undefined || range.from > end ? end : Number(range.from);
    let left = range.limit;
    for (let position = start + step; left > 0; position += step) {
      options?.signal?.throwIfAborted();
      const entry = this.#log[position - 1];
      if (!entry) return;
      if (!passes(filter, entry)) continue;
      yield this.#read(position);
      left -= 1;
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
      waitBeyond: (position: Position, stop: AbortSignal) => this.#known.waitBeyond(position, stop),
    };
    yield* followLog(source, from, { ...options, signal });
  }

  async head(): Promise<Position> {
    await this.#turn();
    return this.#known.head;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** Lets other work run, as waiting for a server would. */
  async #turn(): Promise<void> {
    this.#throwIfClosed();
    await turn();
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw new StoreUnavailable("the event log is closed");
  }

  #find(batch: CheckedBatch, stream: string, next: Revision): "not" | "whole" | "partly" {
    let found = 0;
    let fitting = 0;
    for (const [index, id] of batch.ids.entries()) {
      const entry = this.#log[(this.#positions.get(id) ?? 0) - 1];
      if (!entry) continue;
      found += 1;
      if (entry.stream === stream && entry.revision === next + index) fitting += 1;
    }
    if (found === 0) return "not";
    return fitting === batch.ids.length ? "whole" : "partly";
  }

  #store(stream: string, next: Revision, events: readonly EventToAppend[]): void {
    const positions = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, positions);
    for (const [index, { id, type, data, metadata }] of events.entries()) {
      const json = JSON.stringify({ data, metadata });
      const position = this.#log.push({ id, stream, revision: next + index, type, json });
      positions.push(position);
      this.#positions.set(id, position);
    }
    this.#known.advance(formatPosition(BigInt(this.#log.length)));
  }

  #resultAt(stream: string, revision: Revision): AppendResult {
    const position = this.#streams.get(stream)?.[revision] as number;
    return { revision, position: formatPosition(BigInt(position)) };
  }

  #read(position: number): StoredEvent {
    const { json, ...place } = this.#log[position - 1] as Entry;
    return { ...place, ...JSON.parse(json), position: formatPosition(BigInt(position)) };
  }

  async #readAfter(
    after: Position,
    filter: EventFilter | undefined,
    limit: number,
  ): Promise<SubscriptionBatch> {
    this.#throwIfClosed();
    const events: StoredEvent[] = [];
    const end = this.#log.length;
    let position = Number(parsePosition(after));
    if (position >= end) return { events, position: after, caughtUp: true };
    while (position < end && events.length < limit) {
      position += 1;
      if (passes(filter, this.#log[position - 1] as Entry)) events.push(this.#read(position));
    }
    return {
      events,
      position: formatPosition(BigInt(position)),
      caughtUp: position >= end,
    };
  }
}
