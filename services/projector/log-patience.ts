import type { SubscriptionBatch } from "#event-store/port.ts";
import { withDeadline } from "#runtime/lifecycle/deadline.ts";
import { RebuildFailed } from "./rebuild-failed.ts";

/** How long a rebuild waits for a log that is down; a subscription waits without end. */
export interface LogPatience {
  /** Milliseconds of waiting until it is reported; 5,000 when absent. */
  readonly tellMs?: number;
  /** Milliseconds without any progress after which the rebuild is given up; 300,000 when absent. */
  readonly limitMs?: number;
}

const TELL_MS = 5_000;
const LIMIT_MS = 300_000;
/** After the first report, the interval until the next one. */
const REPEAT = 6;

/**
 * The next batch of a subscription that has more to give.
 * @param warn receives a sentence when waiting for the log starts, and when it is back.
 * @throws {RebuildFailed} nothing came within the limit.
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
        `The event log gives nothing: the rebuild waits for it, ${inWords(limitMs)} at most. Reads go on with the live tables.`,
      );
    ticks += 1;
  }, tellMs);
  try {
    const batch = await withDeadline(batches.next(), limitMs, () => givenUp(limitMs));
    if (ticks > 0) warn("The event log is back: the rebuild goes on.");
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
