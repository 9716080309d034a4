import { passes } from "../filter.ts";
import type { LogSource } from "../follow-log.ts";
import {
  type EventFilter,
  formatPosition,
  type Position,
  parsePosition,
  START,
  type SubscriptionBatch,
} from "../port.ts";
import type { Connections } from "./connections.ts";
import { failureOf, NoAnswer, unavailable } from "./failures.ts";
import { scanFiltered } from "./filtered-scan.ts";
import { type LogReader, PAGE_EVENTS } from "./log-reader.ts";
import { isOfTheLog, positionOf, toStored } from "./records.ts";
import type { SubscribingClient, TailWatcher } from "./tail-watcher.ts";

/** Most events that one batch with a filter looks through, so that positions advance soon. */
const WINDOW_EVENTS = 4 * PAGE_EVENTS;

export interface SubscriberOptions {
  readonly filter: EventFilter | undefined;
  /** Ends reads that are in progress. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Distance to the head, in bytes of the log, from which the server does the filtering. */
  readonly scanBytes: bigint;
}

/**
 * Reads the log for one subscriber: from its position on, page by page, when the watcher reports
 * more. When it is far behind and has a filter, the server scans the log instead.
 */
export class Subscriber implements LogSource {
  readonly #connections: Connections<SubscribingClient>;
  readonly #reader: LogReader;
  readonly #tail: TailWatcher;
  readonly #options: SubscriberOptions;
  readonly #isEmptyFilter: boolean;
  #scans: boolean;
  /**
   * The position after which only system events follow. No visible position may be one of theirs,
   * because it would be beyond the head.
   */
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
    // Looks once while nothing is known yet; later the watcher reports the head.
    const head = this.#tail.head === START ? await this.#tail.look(signal) : this.#tail.head;
    const after = parsePosition(position);
    const target = parsePosition(head);
    if (target - after <= scanBytes) return undefined;
    try {
      const latest = performance.now() + timeoutMs;
      const { client, left } = await this.#connections.present({ latest, signal });
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
      // If the server sends no checkpoints or does not know the position, the log is read page by
      // page.
      if (error instanceof NoAnswer || failureOf(error) === "unclear") {
        this.#scans = false;
        return undefined;
      }
      throw unavailable(error);
    }
  }
}
