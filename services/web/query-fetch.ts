import type { Upstreams } from "#http/upstreams.ts";

/**
 * Placeholder for the query-api that answers; {@link createQueryFetch} replaces it with an address.
 */
export const QUERY_API = "http://query-api.invalid";

/**
 * A `fetch` for reads of query-api: from the process whose turn it is, or from the next one when
 * the connection is refused or cut before the answer begins.
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
        // The caller has gone, or has waited long enough.
        if (signal.aborted) throw error;
        upstreams.failed(upstream);
        failure = error;
      }
    }
    throw failure;
  };
}
