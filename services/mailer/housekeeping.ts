import { setTimeout as delay } from "node:timers/promises";

/** One hour. */
const INTERVAL_MS = 3_600_000;

/**
 * Runs the chores now and every hour, one after another, even if some of them fail.
 * @returns a promise that settles after the signal.
 */
export async function keepHouse(
  chores: readonly (() => Promise<unknown>)[],
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    for (const chore of chores) {
      if (signal.aborted) return;
      await chore().catch(onError);
    }
    await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
