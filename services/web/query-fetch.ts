import type { Upstreams } from "#http/upstreams.ts";

/**
 * Placeholder for the address of query-api. {@link createQueryFetch} replaces it with that of a
 * process.
 */
export const QUERY_API = "http://query-api.invalid";

type Service = Pick<Upstreams, "order" | "failed">;

/**
 * A `fetch` for reads of query-api. It asks the process whose turn it is. If the connection is
 * refused, or breaks before the answer begins, it asks the next one.
 */
export function createQueryFetch(
  upstreams: Service,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return through(upstreams, ["GET", "HEAD"], "query-api is only read from", fetch);
}

/**
 * A `fetch` for the commands that the site passes on. Each is done once, however often it arrives,
 * so that the next process of command-api may be asked as well.
 */
export function createCommandFetch(
  upstreams: Service,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return through(upstreams, ["POST"], "the site only posts to command-api", fetch);
}

function through(
  upstreams: Service,
  methods: readonly string[],
  otherwise: string,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, headers, signal } = request;
    if (!methods.includes(method)) throw new TypeError(otherwise);
    const { pathname, search } = new URL(request.url);
    const sent = { method, headers, signal };
    const whole = request.body ? { ...sent, body: await request.text() } : sent;
    let failure: unknown;
    for (const upstream of upstreams.order()) {
      try {
        return await fetch(`${upstream}${pathname}${search}`, whole);
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
