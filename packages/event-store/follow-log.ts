import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { ABORTED, orAborted, pause } from "./abort.ts";
import { StoreUnavailable } from "./errors.ts";
import type { Position, SubscribeOptions, SubscriptionBatch } from "./port.ts";
import { parsePosition } from "./position.ts";
import { type StoreLog, silent } from "./store-log.ts";

const DEFAULT_BATCH_SIZE = 500;

/** What an adapter provides for {@link followLog}. Filtering is the adapter's task. */
export interface LogSource {
  /**
   * The next batch of the log after `position`, with at most `limit` events that pass.
   * @throws {StoreUnavailable}
   */
  readAfter(position: Position, limit: number): Promise<SubscriptionBatch>;
  /** Resolves when the log may reach beyond `position`, or soon after the signal aborts. */
  waitBeyond(position: Position, signal: AbortSignal): Promise<void>;
}

/**
 * A subscription made of repeated reads. It pulls, so a slow subscriber keeps nothing waiting in
 * memory. Its place is a position, so it neither misses nor repeats events when the store goes
 * away.
 */
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
