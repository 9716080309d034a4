import Fastify, { type FastifyInstance } from "fastify";
import { registerApiDocs } from "#http/api-docs/api-docs.ts";
import type { OpenApiDocument } from "#http/api-docs/merge-openapi.ts";
import { NO_ROUTE } from "#http/bounds.ts";
import { createCounters } from "#http/counters/counters.ts";
import { fail } from "#http/envelope.ts";
import { handleError } from "#http/error-handler.ts";
import { errorStatuses, messages } from "#http/errors.ts";
import { createLimits } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import type { Upstreams } from "#http/upstreams.ts";

/** For how many milliseconds the services' descriptions are used. They may start later than this. */
const KEPT_MS = 10_000;
const TIME_LIMIT_MS = 3000;

export interface DocsOptions {
  readonly version: string;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** `off` is for load tests. */
  readonly limits?: "on" | "off";
  /** The services whose routes are described, the first one's words first. */
  readonly services: readonly Pick<Upstreams, "order" | "fetch">[];
}

/** `/docs`: one page about the API of services that run in other processes. */
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
    keptMs: KEPT_MS,
  });
  await app.ready();
  return app;
}

/**
 * The description of a service's routes, from the first of its processes that answers.
 * @throws the last failure if none does.
 */
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
