import { setTimeout as delay } from "node:timers/promises";

/** The result of {@link orAborted} when the signal came first. */
export const ABORTED = Symbol("aborted");

/**
 * Waits for `work` or for the signal, whichever comes first, and leaves no listener behind. The
 * work itself continues; its result or failure after the abort is dropped.
 */
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
