import { isDeepStrictEqual } from "node:util";
import {
  type AppendToStreamOptions,
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
} from "@eventstore/db-client";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import {
  type AppendResult,
  type EventToAppend,
  type ExpectedRevision,
  InvalidBatch,
  RevisionConflict,
  type StoredEvent,
} from "../port.ts";
import { ClientReplaced, type Connections } from "./connections.ts";
import { failureOf, isSilence, NoAnswer, unavailable } from "./failures.ts";
import { type LogReader, PAGE_EVENTS } from "./log-reader.ts";
import { type StreamIds, toStored } from "./records.ts";

/** The client's call that appends. */
export type AppendingClient = Pick<EventStoreDBClient, "appendToStream">;

interface AppenderOptions {
  /** Limit of a whole append, in milliseconds. */
  readonly timeoutMs: number;
  /** The caller's identity, for the server. */
  readonly credentials?: AppendToStreamOptions["credentials"] | undefined;
}

/** Attempts with one batch, all with the same ids at the same revision. */
const ATTEMPTS = 2;

/**
 * Appends batches so that the port's promises hold. The server alone does not keep all of them:
 *
 * - It looks for repeated ids only where the batch would already be, and not at all when the
 * stream is at the expected revision. So earlier ids are compared here.
 * - It treats the same ids as the same batch, whatever the content. So the content is compared here
 * with what the stream then holds; that read also returns the position.
 * - It does not say which part of a batch is stored. So the stream is read and compared.
 *
 * Within a process, appends to one stream run one after another, so that each finds what it
 * expects. Ids are not looked for in other streams, since there is no index of them.
 */
export class Appender {
  readonly #connections: Connections<AppendingClient>;
  readonly #reader: LogReader;
  readonly #ids: StreamIds;
  readonly #options: AppenderOptions;
  /** The last append to each stream that is being written to. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    connections: Connections<AppendingClient>,
    reader: LogReader,
    ids: StreamIds,
    options: AppenderOptions,
  ) {
    this.#connections = connections;
    this.#reader = reader;
    this.#ids = ids;
    this.#options = options;
  }

  /**
   * @param batch already checked, and not shared with the caller, since it is sent later.
   * @throws {RevisionConflict} @throws {InvalidBatch} @throws {StoreUnavailable}
   */
  async append(
    stream: string,
    batch: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const { timeoutMs } = this.#options;
    const latest = performance.now() + timeoutMs;
    const before = this.#queues.get(stream);
    const work = (async () => {
      await before;
      // The caller already got an unknown outcome, so nothing may be sent anymore.
      if (performance.now() >= latest) throw new NoAnswer(timeoutMs);
      return this.#append(stream, batch, expected, latest);
    })();
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(stream, settled);
    this.#running.add(settled);
    void settled.then(() => {
      this.#running.delete(settled);
      if (this.#queues.get(stream) === settled) this.#queues.delete(stream);
    });
    return withDeadline(work, timeoutMs, () => new NoAnswer(timeoutMs));
  }

  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #append(
    stream: string,
    batch: readonly EventToAppend[],
    expected: ExpectedRevision,
    latest: number,
  ): Promise<AppendResult> {
    const next = expected === "no_stream" ? 0 : expected + 1;
    const earlier = await this.#idsUpTo(stream, next);
    const isStored = new Set(earlier.slice(0, next));
    if (batch.some(({ id }) => isStored.has(id))) throw storedElsewhere();
    if (earlier.length < next) return this.#settleConflict(stream, batch, next);
    try {
      await this.#send(stream, batch, expected, latest);
    } catch (error) {
      switch (failureOf(error)) {
        case "conflict":
          return this.#settleConflict(stream, batch, next);
        case "too_large":
          throw new InvalidBatch("the batch exceeds the server's limit", { cause: error });
        case "deleted":
          throw new InvalidBatch(`stream ${stream} was deleted on the server`, { cause: error });
        default:
          throw unavailable(error);
      }
    }
    return this.#confirm(stream, batch, next);
  }

  /** Retries an interrupted call with the same batch until `latest`, over another client if its own was given up. */
  async #send(
    stream: string,
    batch: readonly EventToAppend[],
    expected: ExpectedRevision,
    latest: number,
  ): Promise<void> {
    const stallMs = Math.ceil(this.#options.timeoutMs / ATTEMPTS);
    const events = batch.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data, metadata: { ...metadata } }),
    );
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#connections.run(
          ({ client }) => {
            const limit = Math.min(stallMs, Math.ceil(latest - performance.now()));
            if (limit <= 0) throw new NoAnswer(this.#options.timeoutMs);
            const call = client.appendToStream(stream, events, {
              expectedRevision: expected === "no_stream" ? NO_STREAM : BigInt(expected),
              deadline: limit,
              requiresLeader: true,
              ...omitUndefined({ credentials: this.#options.credentials }),
            });
            return withDeadline(call, limit, () => new NoAnswer(limit));
          },
          { latest, stallMs },
        );
        return;
      } catch (error) {
        const repeats = error instanceof ClientReplaced || (isSilence(error) && attempt < ATTEMPTS);
        if (!repeats || performance.now() >= latest) throw error;
      }
    }
  }

  /** Reads the batch's place, which holds this batch and so the reply, or another one. */
  async #confirm(
    stream: string,
    batch: readonly EventToAppend[],
    next: number,
  ): Promise<AppendResult> {
    const stored = await this.#read(stream, next, batch.length);
    for (const [index, event] of batch.entries()) {
      const found = stored[index];
      if (!found || found.id !== event.id)
        throw new Error(
          `stream ${stream} was acknowledged and does not hold revision ${next + index}: was it deleted before?`,
        );
      if (!isSameContent(found, event))
        throw new InvalidBatch("events of the batch are already stored, with different content");
    }
    const { revision, position } = stored.at(-1) as StoredEvent;
    return { revision, position };
  }

  /** Handles an actual or certain refusal by the server: a retry, a conflict or a mixed batch. */
  async #settleConflict(
    stream: string,
    batch: readonly EventToAppend[],
    next: number,
  ): Promise<AppendResult> {
    const ids = await this.#idsUpTo(stream, Number.POSITIVE_INFINITY);
    const revisions = new Map(ids.map((id, revision) => [id, revision]));
    const found = batch.map(({ id }) => revisions.get(id));
    if (found.every((revision) => revision === undefined))
      throw new RevisionConflict(stream, ids.length === 0 ? "no_stream" : ids.length - 1);
    if (found.some((revision, index) => revision !== next + index)) throw storedElsewhere();
    return this.#confirm(stream, batch, next);
  }

  /** Returns the first `count` ids of a stream; fewer if it has no more. */
  async #idsUpTo(stream: string, count: number): Promise<readonly string[]> {
    for (;;) {
      const { length } = this.#ids.known(stream);
      if (length >= count) break;
      const limit = Math.min(count - length, PAGE_EVENTS);
      const page = await this.#reader.streamPage(stream, length, { backwards: false, limit });
      for (const { revision, id } of page.events) this.#ids.note(stream, Number(revision), id);
      if (page.done || this.#ids.known(stream).length === length) break;
    }
    return this.#ids.known(stream);
  }

  async #read(stream: string, from: number, count: number): Promise<StoredEvent[]> {
    const stored: StoredEvent[] = [];
    while (stored.length < count) {
      const page = await this.#reader.streamPage(stream, from + stored.length, {
        backwards: false,
        limit: count - stored.length,
      });
      for (const event of page.events) {
        this.#ids.note(stream, Number(event.revision), event.id);
        stored.push(toStored(event));
      }
      if (page.events.length === 0) break;
    }
    return stored;
  }
}

function isSameContent(stored: StoredEvent, { type, data, metadata }: EventToAppend): boolean {
  return (
    stored.type === type &&
    isDeepStrictEqual(stored.data, data) &&
    isDeepStrictEqual(stored.metadata, metadata)
  );
}

function storedElsewhere(): InvalidBatch {
  return new InvalidBatch(
    "some events of the batch are already stored, in another place or in part",
  );
}
