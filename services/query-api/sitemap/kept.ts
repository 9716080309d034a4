/**
 * Creates a function that loads a value at most once in a time, for all callers together. A failure
 * is not kept.
 * @param now a monotonic clock, in milliseconds.
 */
export function kept<T>(
  load: () => Promise<T>,
  keptMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let held: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (held && now() - held.at < keptMs) return held.value;
    const value = load();
    const mine = { at: now(), value };
    held = mine;
    value.catch(() => {
      if (held === mine) held = undefined;
    });
    return value;
  };
}
