import { setTimeout as delay } from "node:timers/promises";

/** An hour. */
const INTERVAL_MS = 3_600_000;

/**
 * Does the chores at the start and each hour after, one after another; one that fails does not keep
 * the others from being done.
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
