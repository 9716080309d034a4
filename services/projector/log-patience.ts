import type { SubscriptionBatch } from "#event-store/port.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { RebuildFailed } from "./rebuild-failed.ts";

/** How long a rebuild waits for a log that is down. A subscription has no limit. */
export interface LogPatience {
  /** Milliseconds until the wait is reported; 5,000 when absent. */
  readonly tellMs?: number;
  /** Milliseconds without progress until the rebuild fails; 300,000 when absent. */
  readonly limitMs?: number;
}

const TELL_MS = 5_000;
const LIMIT_MS = 300_000;
/** The wait is reported again after six times the first interval. */
const REPEAT = 6;

/**
 * The next batch of a subscription that has more events.
 * @param warn receives a sentence when the wait for the log begins, and when the log is back.
 * @throws {RebuildFailed} when nothing arrives within the limit.
 */
export async function nextBatch(
  batches: AsyncIterator<SubscriptionBatch>,
  warn: (sentence: string) => void,
  { tellMs = TELL_MS, limitMs = LIMIT_MS }: LogPatience = {},
): Promise<IteratorResult<SubscriptionBatch>> {
  let ticks = 0;
  const timer = setInterval(() => {
    if (ticks % REPEAT === 0)
      warn(
        `The event log does not answer: the rebuild waits for it, ${inWords(limitMs)} at most. Reads continue with the live tables.`,
      );
    ticks += 1;
  }, tellMs);
  try {
    const batch = await withDeadline(batches.next(), limitMs, () => givenUp(limitMs));
    if (ticks > 0) warn("The event log is back: the rebuild continues.");
    return batch;
  } finally {
    clearInterval(timer);
  }
}

const givenUp = (limitMs: number) =>
  new RebuildFailed(
    `the event log gave nothing for ${inWords(limitMs)}, and the live tables are as they were: see that it is within reach (EVENT_STORE_URL), then start the rebuild again`,
  );

const inWords = (ms: number) =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${ms / 1000} seconds`;
