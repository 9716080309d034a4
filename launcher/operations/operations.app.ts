import type { IncomingMessage } from "node:http";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from "fastify";
import type { Logger } from "pino";
import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import { errorStatuses } from "#contracts/error-statuses.ts";
import { type OpenApiDocument, registerApiDocs } from "#http/api-docs/api-docs.ts";
import { inputBounds, NO_ROUTE } from "#http/bounds.ts";
import { createCounters } from "#http/counters/counters.ts";
import { fail } from "#http/envelope.ts";
import { handleError } from "#http/error-handler.ts";
import { messages } from "#http/errors.ts";
import { READINESS_CACHE_MS, type Readiness } from "#http/health.ts";
import { createLimits, RateLimited } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import { operatorCheck } from "#runtime/net/client-address.ts";
import { liveReloadRoutes } from "../live-reload.ts";
import { outboxRoutes } from "../outbox/outbox.routes.ts";

/** A service as seen by the operations pages. */
export type ObservedService = {
  name: string;
  readiness(): Promise<Readiness>;
  /** Checks of deferrable work. If only these fail, the report says degraded and the registry keeps serving. */
  mayWait?: readonly string[];
  registry?: Registry;
  /** OpenAPI document of its routes. */
  openApi?: OpenApiDocument;
};

export type OperationsOptions = {
  version: string;
  log: Logger;
  services: readonly ObservedService[];
  /** Folder of the emails that `/outbox` shows, and the product name there; no such page if undefined. */
  outbox: { folder: string; productName: string } | undefined;
  liveReload?: boolean;
  /** Who may see more than a status: addresses, checks, metrics. {@link operatorCheck} by default. */
  mayObserve?: (request: IncomingMessage) => boolean;
  /** `off` is for load tests. */
  limits?: "on" | "off";
  /** Exact number of proxies in front; 0 by default. */
  trustProxyHops?: number;
  /** Public web address of the registry. */
  publicUrl?: string | undefined;
};

/**
 * Builds the operations pages of the one-process setup: `/healthz`, `/readyz`, `/metrics`, `/docs` and, on
 * loopback, `/outbox`. `/readyz` shows the checks of every service and the lag of each processor. It
 * answers 200 with `degraded` while only checks of deferrable work are failing.
 */
export async function buildOperationsApp(options: OperationsOptions): Promise<FastifyInstance> {
  const { services, trustProxyHops = 0, publicUrl } = options;
  const { mayObserve = operatorCheck({ trustProxyHops, publicUrl }) } = options;
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  const app = Fastify({
    frameworkErrors: handleError,
    bodyLimit: NO_ROUTE.bodyBytes,
    trustProxy: trustHops(trustProxyHops),
    // IDs of an event's additional emails are longer than the default.
    routerOptions: { maxParamLength: inputBounds.parameterLength },
  });
  const limits = createLimits(await createCounters(app), options.limits !== "off");
  const nothingHere = (_request: unknown, reply: FastifyReply) =>
    reply.code(errorStatuses.not_found).send(fail("not_found", messages.not_found));
  app.setNotFoundHandler(nothingHere);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A file that may not be served looks like a missing one.
    if (error instanceof RateLimited || error.code?.startsWith("FST_ERR_CTP_"))
      return handleError(error, request, reply);
    if ((error.statusCode ?? 500) < 500) return nothingHere(request, reply);
    options.log.error({ err: error, route: request.routeOptions.url }, "a page failed");
    return reply.code(500).type("text/plain").send("Something went wrong.");
  });
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });

  app.get("/healthz", async () => ({ status: "ok" }));
  const askReadiness = shareResult(
    () =>
      Promise.all(
        services.map(async (service) => ({ service, readiness: await service.readiness() })),
      ),
    READINESS_CACHE_MS,
  );
  app.get("/readyz", async (request, reply) => {
    const all = await askReadiness();
    const { status, code } = wholeOf(all);
    if (!mayObserve(request.raw)) return reply.code(code).send({ status });
    return reply.code(code).send({
      status,
      services: Object.fromEntries(all.map(({ readiness }) => [readiness.service, readiness])),
    });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayObserve(request.raw)) return nothingHere(request, reply);
    const registries = [processRegistry, ...services.flatMap(({ registry }) => registry ?? [])];
    const figures = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
    const merged = AggregatorRegistry.aggregate(figures);
    return reply.type(merged.contentType).send(await merged.metrics());
  });

  await registerApiDocs(app, {
    version: options.version,
    limits,
    describe: async () => services.flatMap(({ openApi }) => openApi ?? []),
    keptMs: Number.POSITIVE_INFINITY,
  });
  if (options.outbox) await app.register(outboxRoutes, options.outbox);
  if (options.liveReload) await app.register(liveReloadRoutes);
  await app.ready();
  return app;
}

/** Readiness of the whole port, based on the checks that its callers depend on. */
function wholeOf(all: readonly { service: ObservedService; readiness: Readiness }[]) {
  const unready = all.filter(({ readiness }) => readiness.status !== "ready");
  if (unready.length === 0) return { status: "ready", code: 200 };
  const onlyLate = unready.every(({ service, readiness }) => {
    const failed = Object.entries(readiness.checks).filter(([, { ok }]) => !ok);
    // A service that is not ready without a failed check is shutting down.
    return failed.length > 0 && failed.every(([name]) => service.mayWait?.includes(name));
  });
  return onlyLate ? { status: "degraded", code: 200 } : { status: "not_ready", code: 503 };
}
