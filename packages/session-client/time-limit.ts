/** How long a request may take, in milliseconds, until its reply's body is read. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** A `fetch` whose every request has this limit, beside the caller's own signal. */
export function timeLimited(
  fetch: typeof globalThis.fetch,
  timeoutMs = REQUEST_TIMEOUT_MS,
): typeof globalThis.fetch {
  return (input, init = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, signal });
  };
}
