import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
} from "@eventstore/db-client";
import { type Revision, StoreUnavailable } from "../port.ts";
import { ClientReplaced, type Connection, type Connections } from "./connections.ts";
import { failureOf, NoAnswer, unavailable } from "./failures.ts";
import { isOfTheLog, MAX_POSITION, positionOf, type RecordedEvent } from "./records.ts";

type ReadingClient = Pick<EventStoreDBClient, "readAll" | "readStream">;

export const PAGE_EVENTS = 500;

/** Text size, in characters, beyond which no further event is added to a page. */
const PAGE_SIZE = 4 * 1_048_576;

/** Attempts at one page if the connection breaks. */
const ATTEMPTS = 2;

/** Events in the first backward read for the end of the log; each further read gets more. */
const TAIL_EVENTS = 4;

/** Events in reading order, including system events. */
interface Page {
  readonly events: readonly RecordedEvent[];
  /** Nothing more follows in this direction. */
  readonly done: boolean;
}

interface PageOptions {
  readonly backwards: boolean;
  /** Maximum number of events, never more than {@link PAGE_EVENTS}. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

const NOTHING: Page = { events: [], done: true };

/** Pages of the log and of its streams. Each call asks the leader, so it sees every acknowledged append. */
export class LogReader {
  readonly #connections: Connections<ReadingClient>;
  readonly #timeoutMs: number;

  constructor(connections: Connections<ReadingClient>, timeoutMs: number) {
    this.#connections = connections;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns a stream's events from a revision, inclusive; undefined: its end. @throws {StoreUnavailable} {Error}
   * deleted.
   */
  async streamPage(
    stream: string,
    from: Revision | undefined,
    options: PageOptions,
  ): Promise<Page> {
    const { backwards } = options;
    try {
      const page = await this.#streamPage(stream, from, options);
      if (page.events.length > 0 || !backwards || from === undefined) return page;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "no_stream") return NOTHING;
      if (failure === "deleted")
        throw new Error(`stream ${stream} was deleted on the server`, { cause: error });
      if (failure !== "unclear" || from === undefined) throw this.#passOn(error, options);
    }
    // The position is past the end, or it was and the stream has grown since.
    const tail = await this.streamPage(stream, undefined, { ...options, backwards: true });
    const last = tail.events[0];
    if (!last) return NOTHING;
    if (last.revision < BigInt(from)) return backwards ? tail : NOTHING;
    try {
      return await this.#streamPage(stream, from, options);
    } catch (error) {
      throw this.#passOn(error, options);
    }
  }

  /**
   * Returns events after (backwards: before) a position, exclusive; undefined: beginning or end. @throws
   * {StoreUnavailable}
   */
  async logPage(from: bigint | undefined, options: PageOptions): Promise<Page> {
    const { backwards } = options;
    if (from !== undefined && from > MAX_POSITION)
      return backwards ? this.logPage(undefined, options) : NOTHING;
    if (from === 0n && backwards) return NOTHING;
    try {
      return await this.#logPage(from === 0n ? undefined : from, options);
    } catch (error) {
      if (failureOf(error) !== "unclear" || from === undefined || from === 0n)
        throw this.#passOn(error, options);
    }
    return this.#logPageFromUnknown(from, options);
  }

  /** Returns the position of the log's last event; 0 when it has none. @throws {StoreUnavailable} */
  async head(signal?: AbortSignal): Promise<bigint> {
    let before: bigint | undefined;
    for (let limit = TAIL_EVENTS; ; limit = Math.min(limit * 8, PAGE_EVENTS)) {
      const page = await this.logPage(before, { backwards: true, limit, signal });
      const last = page.events.find(isOfTheLog);
      if (last) return positionOf(last);
      const earliest = page.events.at(-1);
      if (page.done || !earliest) return 0n;
      before = positionOf(earliest);
    }
  }

  /** Handles a position at which no record begins, perhaps from another log or from before a restore. */
  async #logPageFromUnknown(from: bigint, options: PageOptions): Promise<Page> {
    const { backwards, signal } = options;
    const head = await this.head(signal);
    if (from >= head && !backwards) return NOTHING;
    const wanted = (event: RecordedEvent) =>
      backwards ? positionOf(event) < from : positionOf(event) > from;
    let cursor: bigint | undefined;
    for (;;) {
      const page = await this.logPage(cursor, { ...options, limit: PAGE_EVENTS });
      const events = page.events.filter(wanted);
      const last = page.events.at(-1);
      if (events.length > 0 || page.done || !last) return { events, done: page.done };
      cursor = positionOf(last);
    }
  }

  #streamPage(
    stream: string,
    from: Revision | undefined,
    { backwards, limit, signal }: PageOptions,
  ): Promise<Page> {
    const maxCount = Math.min(limit, PAGE_EVENTS);
    const fromRevision = from === undefined ? (backwards ? END : START) : BigInt(from);
    return this.#collect(
      (client) =>
        client.readStream(stream, {
          fromRevision,
          maxCount,
          direction: backwards ? BACKWARDS : FORWARDS,
          resolveLinkTos: false,
          requiresLeader: true,
        }),
      { maxCount, signal, wanted: ({ streamId }) => streamId === stream },
    );
  }

  #logPage(from: bigint | undefined, { backwards, limit, signal }: PageOptions): Promise<Page> {
    // A read begins with the event at its position, which does not belong to the page.
    const maxCount = Math.min(limit, PAGE_EVENTS) + (from === undefined ? 0 : 1);
    const begin = backwards ? END : START;
    return this.#collect(
      (client) =>
        client.readAll({
          fromPosition: from === undefined ? begin : { commit: from, prepare: from },
          maxCount,
          direction: backwards ? BACKWARDS : FORWARDS,
          resolveLinkTos: false,
          requiresLeader: true,
        }),
      {
        maxCount,
        signal,
        wanted: (event) =>
          from === undefined || (backwards ? positionOf(event) < from : positionOf(event) > from),
      },
    );
  }

  async #collect(
    open: (client: ReadingClient) => EventSource,
    options: {
      readonly maxCount: number;
      readonly signal: AbortSignal | undefined;
      wanted(event: RecordedEvent): boolean;
    },
  ): Promise<Page> {
    const { maxCount, signal, wanted } = options;
    const stallMs = Math.ceil(this.#timeoutMs / 2);
    const latest = performance.now() + this.#timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const events: RecordedEvent[] = [];
      let count = 0;
      let size = 0;
      const read = ({ client, left, alive }: Connection<ReadingClient>): Promise<boolean> =>
        takeEvents(
          () => open(client),
          {
            timeoutMs: Math.max(stallMs, latest - performance.now()),
            signal: signal ? AbortSignal.any([signal, left]) : left,
          },
          (event) => {
            alive();
            count += 1;
            if (wanted(event)) events.push(event);
            size += sizeOf(event.data) + sizeOf(event.metadata);
            return size < PAGE_SIZE;
          },
        );
      try {
        const ended = await this.#connections.run(read, { latest, stallMs, signal });
        return { events, done: ended && count < maxCount };
      } catch (error) {
        if (signal?.aborted) throw error;
        if (error instanceof ClientReplaced && performance.now() < latest) continue;
        // An idle connection that broke fails the next call immediately.
        const isBroken = failureOf(error) === "away" && !(error instanceof StoreUnavailable);
        if (!isBroken || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The signal's reason belongs to the caller; any other error means an outage. */
  #passOn(error: unknown, { signal }: PageOptions): unknown {
    return signal?.aborted && error === signal.reason ? error : unavailable(error);
  }
}

/** Counts the characters of all texts in a value, to which its memory is proportional. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  if (value instanceof Uint8Array) return value.length;
  let size = 0;
  for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item);
  return size;
}

/** The part of the client's streamed reads that is used here. */
export interface EventSource {
  on(event: "data", listener: (event: ResolvedEvent) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}

interface StreamingLimits {
  /** Longest silence before the first event, and between two events, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the read with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Passes the events of one streamed read to `take` until it ends or `take` returns false, and cancels
 * it unless it ended by itself.
 * @returns whether the server had nothing more to send.
 * @throws {NoAnswer} if nothing came within the limit. @throws what the client or `take` throws.
 */
export async function takeEvents(
  open: () => EventSource,
  { timeoutMs, signal }: StreamingLimits,
  take: (event: RecordedEvent) => boolean,
): Promise<boolean> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const source = open();
  const timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  let over = false;
  let ended = false;
  source.on("data", ({ event }) => {
    timer.refresh();
    if (over || !event) return;
    try {
      if (!take(event)) {
        over = true;
        resolve(false);
      }
    } catch (error) {
      over = true;
      reject(error);
    }
  });
  source.on("end", () => {
    ended = true;
    resolve(true);
  });
  // The listener stays: an error without a listener would end the process.
  source.on("error", reject);
  source.on("close", () => reject(new Error("the read was closed before its end")));
  try {
    return await promise;
  } finally {
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (!ended) source.cancel().catch(() => undefined);
  }
}
