import { setTimeout as delay } from "node:timers/promises";
import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import {
  type EventFilter,
  type EventStore,
  type Position,
  parsePosition,
  type ReadOptions,
  type Revision,
  START,
  StoreUnavailable,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "./port.ts";
import { type StoreLog, silent } from "./store-log.ts";

const DEFAULT_BATCH_SIZE = 500;

/** What an adapter provides for {@link followLog}. Filtering is the adapter's task. */
export interface LogSource {
  /** Returns the next batch after `position`, with at most `limit` matching events. @throws {StoreUnavailable} */
  readAfter(position: Position, limit: number): Promise<SubscriptionBatch>;
  /** Resolves when the log may reach beyond `position`, or soon after the signal aborts. */
  waitBeyond(position: Position, signal: AbortSignal): Promise<void>;
}

/** Subscribes through repeated reads. It pulls from a position, so it neither misses nor repeats events. */
export async function* followLog(
  source: LogSource,
  from: Position,
  options: SubscribeOptions & { readonly backOff?: BackOffLimits; readonly log?: StoreLog },
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  const { signal, batchSize = DEFAULT_BATCH_SIZE, paceMs = 0, log = silent } = options;
  parsePosition(from);
  if (!(Number.isInteger(batchSize) && batchSize > 0))
    throw new RangeError("a batch size is an integer from 1");
  const backOff = new BackOff(options.backOff);
  let position = from;
  let told = false;
  while (!signal.aborted) {
    const readAt = performance.now();
    let batch: SubscriptionBatch | typeof ABORTED;
    try {
      batch = await orAborted(source.readAfter(position, batchSize), signal);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (signal.aborted) return;
      if (backOff.attempts === 0)
        log.warn(
          { err: error, position },
          "the event log is unavailable; the subscription waits for it",
        );
      await pause(backOff.next(), signal);
      continue;
    }
    if (batch === ABORTED) return;
    if (backOff.attempts > 0) {
      log.info({ position, attempts: backOff.attempts }, "the subscription continues");
      backOff.reset();
    }
    const moved = batch.position > position;
    position = batch.position;
    // Once it has reported that it caught up, it yields only batches that advance.
    if (moved || (batch.caughtUp && !told)) yield batch;
    told = batch.caughtUp;
    if (!batch.caughtUp || signal.aborted) continue;
    await source.waitBeyond(position, signal);
    const early = readAt + paceMs - performance.now();
    if (early > 0) await pause(early, signal);
  }
}

/** Work on the log's events, from the first one on. */
interface Following {
  readonly filter: EventFilter;
  readonly options: SubscribeOptions;
  readonly onBatch: (batch: SubscriptionBatch) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly retry?: BackOffLimits | undefined;
}

/** Follows the log until the signal aborts. After a failure it retries the batch that failed. */
export async function keepFollowing(
  store: Pick<EventStore, "subscribeAll">,
  { filter, options, onBatch, onFailure, retry }: Following,
): Promise<void> {
  const { signal } = options;
  const backOff = new BackOff(retry);
  let position = START;
  while (!signal.aborted) {
    try {
      for await (const batch of store.subscribeAll(position, filter, options)) {
        await onBatch(batch);
        position = batch.position;
        backOff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      await pause(backOff.next(), signal);
    }
  }
}

/** A read's start and direction, checked and with defaults filled in. */
export interface ReadRange<From> {
  /** Undefined: from the end. */
  readonly from: From | undefined;
  readonly backwards: boolean;
  /** Infinity: no limit. */
  readonly limit: number;
}

/** Without `from`, forwards starts at the first event and backwards at the last. @throws {RangeError} */
export function streamRange(
  from: Revision | "end" | undefined,
  options: ReadOptions = {},
): ReadRange<Revision> {
  const backwards = options.direction === "backwards";
  if (from !== undefined && from !== "end" && !(Number.isInteger(from) && from >= 0))
    throw new RangeError('a revision is an integer from 0, or "end"');
  const first = from ?? (backwards ? "end" : 0);
  // Reading forwards from the end finds nothing.
  const limit = first === "end" && !backwards ? 0 : checkLimit(options.limit);
  return { from: first === "end" ? undefined : first, backwards, limit };
}

/** @throws {RangeError} for an invalid position or limit. */
export function logRange(from: Position | undefined, options: ReadOptions = {}): ReadRange<bigint> {
  const backwards = options.direction === "backwards";
  const position = from === undefined ? undefined : parsePosition(from);
  return {
    from: position ?? (backwards ? undefined : 0n),
    backwards,
    limit: checkLimit(options.limit),
  };
}

function checkLimit(limit = Number.POSITIVE_INFINITY): number {
  if (limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0)) return limit;
  throw new RangeError("a limit is an integer from 0");
}

/** The result of {@link orAborted} when the signal came first. */
export const ABORTED = Symbol("aborted");

/** Waits for `work` or the signal, without leaving a listener. The work's result after an abort is dropped. */
export async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | typeof ABORTED> {
  if (!signal) return work;
  work.catch(() => undefined);
  if (signal.aborted) return ABORTED;
  const { promise: aborted, resolve } = Promise.withResolvers<typeof ABORTED>();
  const onAbort = () => resolve(ABORTED);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Waits, or returns early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
