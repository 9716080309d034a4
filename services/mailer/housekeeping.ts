import { setTimeout as delay } from "node:timers/promises";

/** An hour. */
const INTERVAL_MS = 3_600_000;

/**
 * Runs the chores at the start and every hour, one after another, whichever of them fail.
 * @returns a promise that ends after the signal.
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
