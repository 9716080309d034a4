import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import { operatorCheck } from "#runtime/net/client-address.ts";
import { type Actor, isForStaff, VISITOR } from "./actor.ts";
import {
  type AccountGate,
  authorise,
  identify,
  registerTokens,
  requireFactor,
  requireProof,
  type TokenKeys,
} from "./auth.ts";
import { type Counters, createCounters } from "./counters/counters.ts";
import type { SharedCounters } from "./counters/redis/shared-counters.ts";
import "./augment.ts";
import { DomainError, type ErrorCode } from "#contracts/domain-error.ts";
import { errorStatuses } from "#contracts/error-statuses.ts";
import { ARRIVAL, BODY_MS, boundsOf, inputBounds, NO_ROUTE, TLS_ARRIVAL } from "./bounds.ts";
import { handleError } from "./error-handler.ts";
import { messages } from "./errors.ts";
import { type ReadinessCheck, registerHealth, runChecks } from "./health.ts";
import { registerJsonBody } from "./json-body.ts";
import { createLimits, measureCounters } from "./limits.ts";
import { createMethodTable } from "./methods.ts";
import { createMetrics, routeOf } from "./metrics.ts";
import { registerOpenApi } from "./openapi.ts";
import { createOriginReader, X_ORIGIN_TOKEN } from "./origin.ts";
import { applyRoutePolicy, type RouteInfo } from "./route-policy.ts";
import { serializerCompiler } from "./serialization.ts";
import { answerBrokenRequest, limitBodyTime, registerExpectContinue } from "./shared-port.ts";
import { STRICT_TRANSPORT } from "./strict-transport.ts";
import { findBadText } from "./text-check.ts";
import { invalidRequest, validatorCompiler } from "./validation.ts";

/** A Fastify instance whose handlers have the types of their TypeBox schemas. */
export type ServiceInstance = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Adds the routes of one area. @param side what the service passes to all of them. */
export type Feature<Side> = (app: ServiceInstance, side: Side) => void | Promise<void>;

/** Registers each feature as a plugin with its name, which Fastify would otherwise look up in all loaded modules. */
export async function registerFeatures<Side>(
  app: ServiceInstance,
  features: readonly Feature<Side>[],
  side: Side,
): Promise<void> {
  const displayName = Symbol.for("fastify.display-name");
  for (const feature of features) {
    const plugin = async (scope: ServiceInstance) => feature(scope, side);
    await app.register(Object.assign(plugin, { [displayName]: feature.name }));
  }
}

/** A call that was refused to a signed-in account, or to staff who must first meet a requirement. */
export interface CallRefusal {
  readonly actor: Actor;
  readonly code: ErrorCode;
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  readonly request: FastifyRequest;
}

export interface ServiceOptions {
  /** Name in logs, metrics and health. */
  readonly name: string;
  readonly version: string;
  readonly log: Logger;
  readonly tokens: TokenKeys;
  readonly accounts: AccountGate;
  /** `off` is for load tests. */
  readonly limits?: "on" | "off";
  /** Whether the limits on reading and searching are lifted now; never by default. */
  readonly limitsAreLifted?: (() => boolean) | undefined;
  /** The server on which limits are counted; without it, they are counted in memory. */
  readonly sharedCounters?: SharedCounters | undefined;
  /** The counters of another service in this process, to share them. */
  readonly counters?: Counters | undefined;
  /** Exact number of proxies in front; by default 0, which ignores forwarded addresses. */
  readonly trustProxyHops?: number;
  /** Public URL, if configured; see `operatorCheck`. */
  readonly publicUrl?: string;
  /** Milliseconds after which the caller of a slow handler gets a 503; 15,000 by default. */
  readonly handlerTimeoutMs?: number;
  /** Origins whose pages may call this service; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Requests with this `X-Origin-Token` come from the sample loader and are not limited. */
  readonly originToken?: string | undefined;
  /** Checks for `/readyz`. */
  readonly checks?: Readonly<Record<string, ReadinessCheck>> | undefined;
  /** Replaces a handler's error with the one to answer with. */
  readonly explainError?: (error: FastifyError) => Promise<FastifyError>;
  /** Called for refused calls before they are answered. If it fails, the reply is 503. */
  readonly onCallRefused?: (refusal: CallRefusal) => Promise<void>;
  /** With it, the service serves HTTPS. */
  readonly tls?: TlsPair | undefined;
  /** Whether `/metrics` includes memory, CPU and event loop; true by default. */
  readonly processMetrics?: boolean | undefined;
}

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The HTTP base of a service. It starts only if each route names its roles and limit and declares schemas. */
export async function createService(options: ServiceOptions): Promise<ServiceInstance> {
  const handlerLimitMs = options.handlerTimeoutMs ?? 15_000;
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    genReqId: ({ headers }) => {
      const sent = headers["x-request-id"];
      return typeof sent === "string" && REQUEST_ID.test(sent) ? sent : randomUUID();
    },
    trustProxy: trustHops(options.trustProxyHops ?? 0),
    bodyLimit: NO_ROUTE.bodyBytes,
    handlerTimeout: handlerLimitMs,
    requestTimeout: ARRIVAL.requestTimeout,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    ...serverOptions(options.tls),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: inputBounds.parameterLength },
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as ServiceInstance;

  const base = app as unknown as FastifyInstance;
  const routeTable: RouteInfo[] = [];
  let draining = false;
  app.decorate("routeTable", routeTable);
  app.decorate("metrics", createMetrics(options.name, options.processMetrics ?? true));
  app.decorate("checkReadiness", () => runChecks(options.name, options.checks ?? {}, draining));
  app.decorateRequest("actor");
  app.decorateRequest("origin");
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const { explainError } = options;
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const explained = explainError ? await explainError(error) : error;
    return handleError(await noted(options, request, explained), request, reply);
  });
  const methods = createMethodTable();
  app.addHook("onRoute", (route) => {
    const infos = applyRoutePolicy(route);
    // Each GET implies a HEAD, which needs no entry.
    routeTable.push(...infos.filter(({ method }) => method !== "HEAD"));
    for (const { method, url } of infos) methods.add(method, url);
  });
  registerJsonBody(base);
  registerExpectContinue(base);

  const readOrigin = createOriginReader(options.originToken);
  app.addHook("onRequest", async (request, reply) => {
    request.actor = VISITOR;
    request.origin = readOrigin(request.headers[X_ORIGIN_TOKEN]);
    reply.header("x-request-id", request.id);
    reply.header("strict-transport-security", STRICT_TRANSPORT);
    limitBodyTime(request.raw, boundsOf(request.routeOptions.config).bodyMs ?? BODY_MS);
    if (draining) throw new DomainError("unavailable", messages.unavailable);
  });
  // The framework stops its own timer as soon as a body is read.
  app.addHook("preHandler", async (request, reply) => {
    if (request.body === undefined) return;
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new DomainError("unavailable", messages.unavailable));
    }, handlerLimitMs);
    reply.raw.once("close", () => clearTimeout(timer));
  });
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    if (draining) reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    app.metrics.observe(request, reply);
    // Probes come every few seconds, so they are logged at debug level; `health.ts` logs changes.
    const level = request.routeOptions.config.limit === "probe" ? "debug" : "info";
    request.log[level](
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        actorRole: request.actor?.role ?? "visitor",
      },
      "request",
    );
    request.log.debug(
      {
        limit: request.routeOptions.config.limit,
        requestBytes: Number(request.headers["content-length"] ?? 0),
        replyBytes: Number(reply.getHeader("content-length") ?? 0),
      },
      "request in detail",
    );
  });
  app.addHook("preClose", async () => {
    draining = true;
  });

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false,
    frameguard: { action: "deny" },
  });
  if (options.corsOrigins?.length)
    await app.register(cors, {
      origin: [...options.corsOrigins],
      methods: ["GET", "POST", "PUT", "DELETE"],
      exposedHeaders: ["X-Position", "X-Stale", "X-Request-Id", "Retry-After", "Content-Range"],
      maxAge: 600,
    });
  const counters = options.counters ?? (await createCounters(base, options.sharedCounters));
  const limits = createLimits(counters, options.limits !== "off", options.limitsAreLifted);
  measureCounters(base, counters);
  app.decorate("limits", limits);
  await registerTokens(base, options.tokens);
  await registerOpenApi(base, { title: options.name, version: options.version });

  app.addHook("onRequest", async (request) => {
    const { roles, limit } = request.routeOptions.config;
    const refusal = methods.refusal(request.method, request.url);
    if (refusal || request.is404) await limits.byAddress(request, "not_found");
    if (refusal) throw refusal;
    if (request.is404) return;
    if (roles === undefined || limit === undefined) return;
    await limits.byAddress(request, limit);
    request.actor = await identify(request, options.accounts);
    await limits.byCaller(request, limit);
    allow(request);
  });
  // A body may take a while, and the sender's session may have ended in the meantime.
  app.addHook("preHandler", async (request) => {
    if (request.body === undefined || request.actor.role === "visitor") return;
    request.actor = await identify(request, options.accounts);
    allow(request);
  });
  app.addHook("preValidation", async (request) => {
    checkTexts(request);
  });

  app.setNotFoundHandler(() => {
    throw new DomainError("not_found", messages.not_found);
  });
  const { trustProxyHops = 0, publicUrl } = options;
  registerHealth(app, options.name, operatorCheck({ trustProxyHops, publicUrl }));
  return app;
}

function serverOptions(tls: TlsPair | undefined) {
  const maxHeaderSize = inputBounds.headerBytes;
  return tls
    ? { https: { ...TLS_ARRIVAL, ...tls, maxHeaderSize } }
    : { http: { ...ARRIVAL, maxHeaderSize } };
}

/** @throws {DomainError} when the caller may not use the route. */
function allow(request: FastifyRequest): void {
  const { roles = [], proof } = request.routeOptions.config;
  authorise(request.actor, roles);
  // The sample loader uses an account that no one has signed in to yet.
  if (isForStaff(roles) && request.origin !== "sample") requireFactor(request.actor);
  if (proof) requireProof(request.actor);
}

/** Trusts forwarded addresses from exactly this many proxies, counted from the socket. */
export function trustHops(hops: number): false | ((address: string, hop: number) => boolean) {
  return hops > 0 && ((_address, hop) => hop < hops);
}

/** Rejects text that no store can keep, and undeclared queries except `_cb`, which only busts caches. */
function checkTexts(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown> | undefined;
  if (query) delete query._cb;
  const { values } = boundsOf(request.is404 ? {} : request.routeOptions.config);
  for (const part of [request.params, query, request.body]) {
    const problems = findBadText(part, values);
    if (problems) throw invalidRequest(problems);
  }
  const { body } = request;
  if (body === undefined || request.is404 || request.routeOptions.schema?.body) return;
  if (typeof body !== "object" || body === null || Object.keys(body).length > 0)
    throw invalidRequest({ body: "This request doesn't accept a body" });
}

/** Refusals that have their own events, with the input encrypted. */
const RECORDED_SEPARATELY: readonly string[] = ["wrong_password", "wrong_code"];

/** @returns the error to answer with: the refusal, or that it could not be recorded. */
async function noted(
  { onCallRefused }: ServiceOptions,
  request: FastifyRequest,
  error: FastifyError,
): Promise<FastifyError> {
  const { actor } = request;
  if (!onCallRefused || !(error instanceof DomainError) || actor.role === "visitor") return error;
  const { code } = error as DomainError;
  const isRefusal = errorStatuses[code] === 403 && !RECORDED_SEPARATELY.includes(code);
  if (!isRefusal || !(code === "forbidden" || isForStaff([actor.role]))) return error;
  const route = routeOf(request);
  try {
    await onCallRefused({ actor, code, method: request.method, route, request });
    return error;
  } catch (cause) {
    request.log.error({ err: cause, route }, "a refused call could not be recorded");
    return new DomainError("unavailable", messages.unavailable) as unknown as FastifyError;
  }
}
