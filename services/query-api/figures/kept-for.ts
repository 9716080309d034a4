/**
 * A function that answers with what `load` answered at most `ms` milliseconds ago. Callers that come
 * while it loads share one answer; a failure is not kept.
 * @param now a monotonic clock, in milliseconds.
 */
export function keptFor<T>(
  ms: number,
  load: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let kept: { readonly until: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (kept && now() < kept.until) return kept.answer;
    const loading = { until: now() + ms, answer: load() };
    kept = loading;
    loading.answer.catch(() => {
      if (kept === loading) kept = undefined;
    });
    return loading.answer;
  };
}
