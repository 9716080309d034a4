import type { Upstreams } from "#http/upstreams.ts";

/**
 * Placeholder for the address of query-api. {@link createQueryFetch} replaces it with that of a
 * process.
 */
export const QUERY_API = "http://query-api.invalid";

/**
 * A `fetch` for reads of query-api. It asks the process whose turn it is. If the connection is
 * refused, or breaks before the answer begins, it asks the next one.
 */
export function createQueryFetch(
  upstreams: Pick<Upstreams, "order" | "failed">,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { method, url, headers, signal } = new Request(input, init);
    if (method !== "GET" && method !== "HEAD") throw new TypeError("query-api is only read from");
    let failure: unknown;
    for (const upstream of upstreams.order()) {
      try {
        return await fetch(url.replace(QUERY_API, upstream), { method, headers, signal });
      } catch (error) {
        // The caller has gone, or the time limit was reached.
        if (signal.aborted) throw error;
        upstreams.failed(upstream);
        failure = error;
      }
    }
    throw failure;
  };
}
