import type { IncomingMessage } from "node:http";
import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from "fastify";
import type { Logger } from "pino";
import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import { fail } from "#kit/http/envelope.ts";
import { handleError } from "#kit/http/error-handler.ts";
import { errorStatuses, messages } from "#kit/http/errors.ts";
import type { Readiness } from "#kit/http/health.ts";
import { isOperator } from "#kit/net/local-request.ts";
import { liveReloadRoutes } from "../live-reload.ts";
import { outboxRoutes } from "../outbox/outbox.routes.ts";
import { mergeOpenApi, type OpenApiDocument } from "./openapi.ts";

/** A service as the operations pages see it. */
export type ObservedService = {
  name: string;
  readiness(): Promise<Readiness>;
  /**
   * Checks of work that is late while they fail, and not lost, and that no request waits for. They
   * degrade the whole; it goes on serving.
   */
  mayWait?: readonly string[];
  registry?: Registry;
  /** OpenAPI document of its routes. */
  openApi?: OpenApiDocument;
};

export type OperationsOptions = {
  version: string;
  log: Logger;
  services: readonly ObservedService[];
  /** Folder of mails that `/outbox` shows, and whose they are; without it there is no such page. */
  outbox: { folder: string; productName: string } | undefined;
  liveReload?: boolean;
  /** Who is told more than a status: addresses, checks, figures; {@link isOperator} when absent. */
  mayObserve?: (request: IncomingMessage) => boolean;
  /**
   * Asked for each time, instead of the services' own descriptions: where services run elsewhere,
   * they may not be there yet.
   */
  describe?: () => Promise<OpenApiDocument[]>;
};

/**
 * Policy of the API page: nothing from elsewhere, no validator of somebody else, and plain HTTP as it
 * is, since loopback has nothing else.
 */
const DOCS_POLICY = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "connect-src": "'self'",
  "font-src": "'self' data:",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  "img-src": "'self' data:",
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
};

/**
 * What is asked of the one-process profile as a whole: `/healthz`, `/readyz` (every service's
 * checks, with each processor's lag; 200 and `degraded` while only such work is held up that may wait), `/metrics`, `/docs` and, on loopback, `/outbox`.
 */
export async function buildOperationsApp(options: OperationsOptions): Promise<FastifyInstance> {
  const { services, mayObserve = isOperator } = options;
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  const app = Fastify({ frameworkErrors: handleError });
  const nothingHere = (_request: unknown, reply: FastifyReply) =>
    reply.code(errorStatuses.not_found).send(fail("not_found", messages.not_found));
  app.setNotFoundHandler(nothingHere);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A file that may not be served is one that is not there.
    if (error.statusCode === 403 || error.statusCode === 404) return nothingHere(request, reply);
    options.log.error({ err: error, route: request.routeOptions.url }, "a page failed");
    return reply.code(500).type("text/plain").send("Something went wrong.");
  });
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });

  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    const all = await Promise.all(
      services.map(async (service) => ({ service, readiness: await service.readiness() })),
    );
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

  const { describe } = options;
  const info = { title: "Chargeback registry", version: options.version };
  let document = mergeOpenApi(
    info,
    services.flatMap(({ openApi }) => openApi ?? []),
  );
  await app.register(async (docs) => {
    await docs.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: false });
    await docs.register(swagger, {
      mode: "static",
      specification: { document: document as never },
    });
    await docs.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: DOCS_POLICY,
      theme: { title: "Chargeback registry: API" },
      uiConfig: {
        docExpansion: "list",
        // Without the bar of the library's own name, which loads other descriptions.
        layout: "BaseLayout",
        persistAuthorization: false,
        validatorUrl: null,
      },
      transformSpecificationClone: false,
      transformSpecification: () => document as never,
      uiHooks: {
        preHandler: async ({ url }) => {
          if (describe && /^\/docs\/(json|yaml)/.test(url))
            document = mergeOpenApi(info, await describe());
        },
      },
    });
  });
  if (options.outbox) await app.register(outboxRoutes, options.outbox);
  if (options.liveReload) await app.register(liveReloadRoutes);
  await app.ready();
  return app;
}

/** The port as a whole: as ready as what its callers need. */
function wholeOf(all: readonly { service: ObservedService; readiness: Readiness }[]) {
  const unready = all.filter(({ readiness }) => readiness.status !== "ready");
  if (unready.length === 0) return { status: "ready", code: 200 };
  const onlyLate = unready.every(({ service, readiness }) => {
    const failed = Object.entries(readiness.checks).filter(([, { ok }]) => !ok);
    // Without a failed check the service is being stopped.
    return failed.length > 0 && failed.every(([name]) => service.mayWait?.includes(name));
  });
  return onlyLate ? { status: "degraded", code: 200 } : { status: "not_ready", code: 503 };
}
