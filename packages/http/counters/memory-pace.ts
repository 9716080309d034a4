import type { KeepPace } from "./port.ts";

/** Most keys kept for one rule; the least recently used are dropped first. */
export const KEPT_KEYS = 20_000;

export function createMemoryPace(now: () => number = () => Date.now()): KeepPace {
  const calls = new Map<string, { count: number; last: number }>();
  return async ({ after, everyMs, resetMs }, key) => {
    const time = now();
    const before = calls.get(key);
    const isKnown = before !== undefined && time - before.last < resetMs;
    if (isKnown && before.count >= after && time - before.last < everyMs)
      return before.last + everyMs - time;
    calls.delete(key);
    calls.set(key, { count: (isKnown ? before.count : 0) + 1, last: time });
    if (calls.size > KEPT_KEYS) calls.delete(calls.keys().next().value as string);
    return 0;
  };
}
