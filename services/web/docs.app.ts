import Fastify, { type FastifyInstance } from "fastify";
import { errorStatuses } from "#contracts/error-statuses.ts";
import { type OpenApiDocument, registerApiDocs } from "#http/api-docs/api-docs.ts";
import { NO_ROUTE } from "#http/bounds.ts";
import { createCounters } from "#http/counters/counters.ts";
import { fail } from "#http/envelope.ts";
import { handleError } from "#http/error-handler.ts";
import { messages } from "#http/errors.ts";
import { createLimits } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import type { Upstreams } from "#http/upstreams.ts";

/** Milliseconds for which descriptions are cached: short, since the services may start after this process. */
const CACHE_MS = 10_000;
const TIME_LIMIT_MS = 3000;

export interface DocsOptions {
  readonly version: string;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** `off` is for load tests. */
  readonly limits?: "on" | "off";
  /** The services whose routes are described; the first one's texts win. */
  readonly services: readonly Pick<Upstreams, "order" | "fetch">[];
}

/** Builds `/docs`: one page about the API of services that run in other processes. */
export async function buildDocsApp(options: DocsOptions): Promise<FastifyInstance> {
  const { version, trustProxyHops, services } = options;
  const app = Fastify({
    frameworkErrors: handleError,
    bodyLimit: NO_ROUTE.bodyBytes,
    trustProxy: trustHops(trustProxyHops),
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(errorStatuses.not_found).send(fail("not_found", messages.not_found)),
  );
  await registerApiDocs(app, {
    version,
    limits: createLimits(await createCounters(app), options.limits !== "off"),
    describe: () => Promise.all(services.map(readDescription)),
    keptMs: CACHE_MS,
  });
  await app.ready();
  return app;
}

/** A service's API description, from the first process that responds. @throws the last failure if none does. */
async function readDescription(service: DocsOptions["services"][number]): Promise<OpenApiDocument> {
  let failure: unknown;
  for (const url of service.order()) {
    try {
      const signal = AbortSignal.timeout(TIME_LIMIT_MS);
      const answer = await service.fetch(`${url}/openapi.json`, { signal });
      if (answer.ok) return (await answer.json()) as OpenApiDocument;
      failure = new Error(`a description was answered with ${answer.status}`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Placeholder for query-api's origin. {@link createQueryFetch} replaces it with that of a process. */
export const QUERY_API = "http://query-api.invalid";

type Service = Pick<Upstreams, "order" | "failed" | "givenUp" | "fetch">;

/** Returns a `fetch` for reads that tries one process after another until one responds. */
export function createQueryFetch(upstreams: Service): typeof globalThis.fetch {
  return through(upstreams, ["GET", "HEAD"], "query-api is only read from");
}

/** The command-api routes that the site's server uses: its forms and email links without JavaScript. */
const SITE_COMMANDS = [
  "/prod/api/inquiry-answer",
  "/prod/api/inquiry-answer/reply",
  "/prod/api/report-question",
  "/prod/api/report-question/answer",
  "/prod/api/report-status",
  "/prod/api/reports/submit",
  "/prod/api/verify-email/:token",
].map((pathname) => new URLPattern({ pathname }));

/** Returns a `fetch` for the commands that the site's server may send. They are idempotent, so retries are safe. */
export function createCommandFetch(upstreams: Service): typeof globalThis.fetch {
  const post = through(upstreams, ["POST"], "the site only posts to command-api");
  return async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input);
    // The path may contain an email link's token, which must not be logged.
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
        // The caller has disconnected, or the timeout has expired.
        if (signal.aborted) throw error;
        upstreams.failed(upstream);
        failure = error;
      }
    }
    throw failure;
  };
}
