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
import { READINESS_KEPT_MS, type Readiness } from "#http/health.ts";
import { createLimits, RateLimited } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import { operatorCheck } from "#runtime/net/client-address.ts";
import { liveReloadRoutes } from "../live-reload.ts";
import { outboxRoutes } from "../outbox/outbox.routes.ts";

/** A service as the operations pages see it. */
export type ObservedService = {
  name: string;
  readiness(): Promise<Readiness>;
  /** Checks of work that may be late: while they fail, the report says degraded, and the registry goes on serving. */
  mayWait?: readonly string[];
  registry?: Registry;
  /** OpenAPI document of its routes. */
  openApi?: OpenApiDocument;
};

export type OperationsOptions = {
  version: string;
  log: Logger;
  services: readonly ObservedService[];
  /** Folder of the emails that `/outbox` shows, and the product name there; undefined: no such page. */
  outbox: { folder: string; productName: string } | undefined;
  liveReload?: boolean;
  /** Who may see more than a status: addresses, checks, metrics. {@link operatorCheck} when absent. */
  mayObserve?: (request: IncomingMessage) => boolean;
  /** `off` is for load tests. */
  limits?: "on" | "off";
  /** Exact number of proxies in front; 0 when absent. */
  trustProxyHops?: number;
  /** Public web address of the registry. */
  publicUrl?: string | undefined;
};

/**
 * The operations pages of the whole one-process profile: `/healthz`, `/readyz`, `/metrics`, `/docs`
 * and, on loopback, `/outbox`. `/readyz` shows the checks of every service and the lag of each
 * processor. It answers 200 with `degraded` while the only failing checks are of work that may
 * wait.
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
    // Names of emails that an event asks for beside its first one are longer than the default.
    routerOptions: { maxParamLength: inputBounds.parameterLength },
  });
  const limits = createLimits(await createCounters(app), options.limits !== "off");
  const nothingHere = (_request: unknown, reply: FastifyReply) =>
    reply.code(errorStatuses.not_found).send(fail("not_found", messages.not_found));
  app.setNotFoundHandler(nothingHere);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A file that may not be served looks like one that does not exist.
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
    READINESS_KEPT_MS,
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

/** Readiness of the whole port, which follows from the checks that its callers depend on. */
function wholeOf(all: readonly { service: ObservedService; readiness: Readiness }[]) {
  const unready = all.filter(({ readiness }) => readiness.status !== "ready");
  if (unready.length === 0) return { status: "ready", code: 200 };
  const onlyLate = unready.every(({ service, readiness }) => {
    const failed = Object.entries(readiness.checks).filter(([, { ok }]) => !ok);
    // A service that is not ready without a failed check is being stopped.
    return failed.length > 0 && failed.every(([name]) => service.mayWait?.includes(name));
  });
  return onlyLate ? { status: "degraded", code: 200 } : { status: "not_ready", code: 503 };
}
