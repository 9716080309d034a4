import type { ClearableCache } from "#operations/caches.ts";

/** A function that keeps its answer. */
export interface Kept<T> extends ClearableCache {
  (): Promise<T>;
}

/**
 * A function that answers with what `load` answered at most `ms` milliseconds ago. Callers that come
 * while it loads share one answer; a failure is not kept. Once it is cleared, it loads again for the
 * next caller.
 * @param now a monotonic clock, in milliseconds.
 */
export function keptFor<T>(
  ms: number,
  load: () => Promise<T>,
  now: () => number = () => performance.now(),
): Kept<T> {
  let kept: { readonly until: number; readonly answer: Promise<T> } | undefined;
  const read = () => {
    if (kept && now() < kept.until) return kept.answer;
    const loading = { until: now() + ms, answer: load() };
    kept = loading;
    loading.answer.catch(() => {
      if (kept === loading) kept = undefined;
    });
    return loading.answer;
  };
  const clear = () => {
    const held = kept && now() < kept.until ? 1 : 0;
    kept = undefined;
    return held;
  };
  return Object.assign(read, { clear });
}
