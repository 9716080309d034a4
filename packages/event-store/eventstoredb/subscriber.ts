import {
  type EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  streamNameFilter,
} from "@eventstore/db-client";
import type { LogSource } from "../follow-log.ts";
import {
  type EventFilter,
  formatPosition,
  type Position,
  parsePosition,
  passes,
  START,
  type SubscriptionBatch,
} from "../port.ts";
import type { Connections } from "./connections.ts";
import { failureOf, NoAnswer, unavailable } from "./failures.ts";
import { type LogReader, PAGE_EVENTS, sizeOf } from "./log-reader.ts";
import { isOfTheLog, positionOf, type RecordedEvent, toStored } from "./records.ts";
import { leave, type SubscribingClient, serverPosition, type TailWatcher } from "./tail-watcher.ts";

/** Maximum number of events that one filtered batch looks through, so that positions advance soon. */
const WINDOW_EVENTS = 4 * PAGE_EVENTS;

interface SubscriberOptions {
  readonly filter: EventFilter | undefined;
  /** Ends reads that are in progress. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Distance to the head, in bytes of the log, beyond which the server filters. */
  readonly scanBytes: bigint;
}

/** Reads the log for one subscriber, page by page. Far behind and with a filter, the server scans it instead. */
export class Subscriber implements LogSource {
  readonly #connections: Connections<SubscribingClient>;
  readonly #reader: LogReader;
  readonly #tail: TailWatcher;
  readonly #options: SubscriberOptions;
  readonly #isEmptyFilter: boolean;
  #scans: boolean;
  /** A position followed only by system events, so that no visible position is beyond the head. */
  #passed: { readonly position: Position; readonly cursor: bigint } | undefined;

  constructor(
    connections: Connections<SubscribingClient>,
    reader: LogReader,
    tail: TailWatcher,
    options: SubscriberOptions,
  ) {
    this.#connections = connections;
    this.#reader = reader;
    this.#tail = tail;
    this.#options = options;
    const { streamPrefixes, types } = options.filter ?? {};
    this.#isEmptyFilter = streamPrefixes?.length === 0 || types?.length === 0;
    this.#scans = (streamPrefixes ?? types) !== undefined && !this.#isEmptyFilter;
  }

  async readAfter(position: Position, limit: number): Promise<SubscriptionBatch> {
    const scanned = await this.#scan(position, limit);
    return scanned ?? this.#read(position, limit);
  }

  waitBeyond(position: Position, signal: AbortSignal): Promise<void> {
    return this.#tail.waitBeyond(position, signal);
  }

  async #read(position: Position, limit: number): Promise<SubscriptionBatch> {
    const { filter, signal } = this.#options;
    const assumed = this.#tail.head;
    const events = [];
    let reached = position;
    let cursor =
      this.#passed?.position === position ? this.#passed.cursor : parsePosition(position);
    let looked = 0;
    let done = false;
    while (!done && looked < WINDOW_EVENTS) {
      const wanted = filter ? PAGE_EVENTS : limit - events.length;
      const page = await this.#reader.logPage(cursor, { backwards: false, limit: wanted, signal });
      for (const event of page.events) {
        if (isOfTheLog(event)) {
          const passing = passes(filter, { stream: event.streamId, type: event.type });
          if (passing && events.length === limit)
            return { events, position: reached, caughtUp: false };
          const stored = passing ? toStored(event) : undefined;
          if (stored) events.push(stored);
          reached = formatPosition(positionOf(event));
        }
        cursor = positionOf(event);
      }
      looked += page.events.length;
      done = page.done;
      if (!done && (page.events.length === 0 || (!filter && events.length === limit))) break;
    }
    this.#passed = { position: reached, cursor };
    if (done && reached < assumed) this.#tail.correct(assumed, reached);
    return { events, position: reached, caughtUp: done };
  }

  /** @returns undefined when plain reading is better. */
  async #scan(position: Position, limit: number): Promise<SubscriptionBatch | undefined> {
    const { filter, signal, timeoutMs, scanBytes } = this.#options;
    if (!this.#scans || !filter) return undefined;
    // Polls once while nothing is known yet; later the watcher reports the head.
    const head = this.#tail.head === START ? await this.#tail.poll(signal) : this.#tail.head;
    const after = parsePosition(position);
    const target = parsePosition(head);
    if (target - after <= scanBytes) return undefined;
    try {
      const latest = performance.now() + timeoutMs;
      const { client, left } = await this.#connections.current({ latest, signal });
      const scan = await scanFiltered(client, {
        after,
        target,
        filter,
        limit,
        timeoutMs,
        signal: AbortSignal.any([signal, left]),
      });
      const reached = formatPosition(scan.position);
      return { events: scan.events.map(toStored), position: reached, caughtUp: false };
    } catch (error) {
      // If the server sends no checkpoints or does not know the position, the log is read page by page.
      if (error instanceof NoAnswer || failureOf(error) === "unclear") {
        this.#scans = false;
        return undefined;
      }
      throw unavailable(error);
    }
  }
}

/** Events that the server checks between two checkpoints. */
const SCAN_WINDOW_EVENTS = 500;

/** Text size, in characters, at which a scan stops taking events. */
const SCAN_SIZE = 4 * 1_048_576;

export interface ScanOptions {
  /** Exclusive; 0 is the beginning. */
  readonly after: bigint;
  /** Position of an existing event. The scan ends once it has passed it, if not earlier. */
  readonly target: bigint;
  readonly filter: EventFilter;
  readonly limit: number;
  /** Longest silence, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Scan {
  readonly events: readonly RecordedEvent[];
  /** How far the log was scanned. */
  readonly position: bigint;
}

/**
 * Scans a long part of the log with the server's filter, through a subscription. @throws {NoAnswer} if nothing
 * came.
 */
export async function scanFiltered(
  client: Pick<EventStoreDBClient, "subscribeToAll">,
  { after, target, filter, limit, timeoutMs, signal }: ScanOptions,
): Promise<Scan> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const events: RecordedEvent[] = [];
  let size = 0;
  let position = after;
  let atTarget = false;
  let over = false;
  const finish = () => {
    over = true;
    resolve();
  };
  // Checkpoints can overtake events in the client's buffer, so the buffer must be empty first.
  const settle = () => {
    if (atTarget && !over && subscription.readableLength === 0) finish();
  };
  const reached = () => {
    atTarget = true;
    setImmediate(settle);
  };
  const timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  const subscription = client.subscribeToAll({
    fromPosition: serverPosition(after),
    filter: serverFilter(filter, (commit) => {
      timer.refresh();
      if (commit >= target) reached();
    }),
    resolveLinkTos: false,
    requiresLeader: true,
  });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  subscription.on("caughtUp", reached);
  subscription.on("data", ({ event }) => {
    timer.refresh();
    if (over || !event) return;
    try {
      const at = positionOf(event);
      if (at > after) {
        position = at;
        if (isOfTheLog(event) && passes(filter, { stream: event.streamId, type: event.type })) {
          events.push(event);
          size += sizeOf(event.data) + sizeOf(event.metadata);
        }
      }
    } catch (error) {
      reject(error);
    }
    if (position >= target) atTarget = true;
    if (events.length >= limit || size >= SCAN_SIZE) finish();
    else settle();
  });
  subscription.on("error", reject);
  subscription.on("end", () => reject(new Error("the subscription has ended")));
  subscription.on("close", () => reject(new Error("the subscription was closed")));
  try {
    await promise;
    // A checkpoint may name a position that is not written yet. The target certainly is.
    const all = atTarget && events.length < limit && size < SCAN_SIZE;
    return { events, position: all && position < target ? target : position };
  } finally {
    over = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    leave(subscription);
  }
}

/** Builds the part of a filter that the server supports: one list of prefixes. The rest is checked here. */
function serverFilter(
  { streamPrefixes, types }: EventFilter,
  onCheckpoint: (commit: bigint) => void,
): Filter {
  const options = {
    checkpointInterval: 1,
    maxSearchWindow: SCAN_WINDOW_EVENTS,
    checkpointReached: (_: unknown, { commit }: { commit: bigint }) => onCheckpoint(commit),
  };
  return streamPrefixes
    ? streamNameFilter({ ...options, prefixes: [...streamPrefixes] })
    : eventTypeFilter({ ...options, prefixes: [...(types ?? [])] });
}
