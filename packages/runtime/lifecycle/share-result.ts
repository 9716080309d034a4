/**
 * Shares one call of `work` among all callers while it runs, and its result until `keptMs` after
 * its start. A failure reaches everybody who is waiting, and is not kept.
 */
export function shareResult<T>(
  work: () => Promise<T>,
  keptMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let shared:
    | { readonly began: number; readonly result: Promise<T>; isRunning: boolean }
    | undefined;
  return () => {
    if (shared && (shared.isRunning || now() - shared.began < keptMs)) return shared.result;
    const call = { began: now(), result: work(), isRunning: true };
    shared = call;
    call.result.then(
      () => {
        call.isRunning = false;
      },
      () => {
        if (shared === call) shared = undefined;
      },
    );
    return call.result;
  };
}
