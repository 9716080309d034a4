import type { Upstreams } from "#http/upstreams.ts";

/**
 * Placeholder for the address of query-api. {@link createQueryFetch} replaces it with that of a
 * process.
 */
export const QUERY_API = "http://query-api.invalid";

type Service = Pick<Upstreams, "order" | "failed" | "givenUp" | "fetch">;

/**
 * A `fetch` for reads of query-api. It asks the process whose turn it is. If the connection is
 * refused, or breaks before the answer begins, or the process is given up, it asks the next one.
 */
export function createQueryFetch(upstreams: Service): typeof globalThis.fetch {
  return through(upstreams, ["GET", "HEAD"], "query-api is only read from");
}

/** What the site's server asks command-api for: its forms and mailed links without JavaScript. */
const SITE_COMMANDS = [
  "/prod/api/report-question",
  "/prod/api/report-question/answer",
  "/prod/api/report-status",
  "/prod/api/reports/submit",
  "/prod/api/verify-email/:token",
].map((pathname) => new URLPattern({ pathname }));

/**
 * A `fetch` for what the site's server asks command-api for, and for nothing else of it, whatever
 * address a page makes. Each command is done once, however often it arrives, so that the next
 * process of command-api may be asked as well.
 */
export function createCommandFetch(upstreams: Service): typeof globalThis.fetch {
  const post = through(upstreams, ["POST"], "the site only posts to command-api");
  return async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input);
    // The path may be a mailed link's, which no log may have.
    if (!SITE_COMMANDS.some((pattern) => pattern.test(href)))
      throw new TypeError("the site does not use this address of command-api");
    return post(input, init);
  };
}

function through(
  upstreams: Service,
  methods: readonly string[],
  otherwise: string,
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
      const givenUp = upstreams.givenUp(upstream);
      const until = givenUp ? AbortSignal.any([signal, givenUp]) : signal;
      try {
        return await upstreams.fetch(`${upstream}${pathname}${search}`, {
          ...whole,
          signal: until,
        });
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
