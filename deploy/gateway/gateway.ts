import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { createMetrics } from "#http/metrics.ts";
import type { Listener } from "#http/run-process.ts";
import { createSharedPort } from "#http/shared-port.ts";
import { Upstreams, type UpstreamsOptions } from "#http/upstreams.ts";
import { pickBackend } from "#launcher/one-port/backends.ts";
import type { OpenApiDocument } from "#launcher/operations/openapi.ts";
import { buildOperationsApp, type ObservedService } from "#launcher/operations/operations.app.ts";
import { CannotStart, explainAddress } from "#runtime/lifecycle/explain-failure.ts";
import type { GatewayConfig } from "./config.ts";
import { buildProxyApp } from "./proxy.app.ts";

/** Milliseconds that running requests get to finish, on both ports together. */
const DRAIN_MS = 6000;
const DESCRIPTION_LIMIT_MS = 3000;

export interface Gateway extends Listener {
  /** @returns the bound ports. The operators' port, if there is one, is on the same host. */
  listen(address: { host: string; port: number }): Promise<Ports>;
  stop(): Promise<void>;
}

interface Ports {
  readonly port: number;
  readonly operationsPort?: number;
}

export interface GatewayOptions {
  readonly upstreams?: UpstreamsOptions;
  /** See `ProxyOptions`. */
  readonly answerLimitMs?: number;
  readonly silenceLimitMs?: number;
}

/**
 * One public port for any number of processes of each service, with the same backends as in the
 * one-process profile. It is ready while each service has a ready process. Details of the
 * processes, such as addresses, and metrics are only on the operators' port.
 */
export async function composeGateway(
  config: GatewayConfig,
  log: Logger,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const { upstreams: watching, ...limits } = options;
  const upstreams = {
    commandApi: new Upstreams(config.commandApi, watching),
    queryApi: new Upstreams(config.queryApi, watching),
    web: new Upstreams(config.web, watching),
  };
  const { trustProxyHops } = config;
  const proxy = await buildProxyApp({
    log,
    upstreams,
    trustProxyHops,
    ...limits,
  });
  const metrics = createMetrics("gateway", false);
  const observing = {
    version: config.version,
    log,
    services: [
      { ...observed("command-api", upstreams.commandApi), registry: metrics.registry },
      observed("query-api", upstreams.queryApi),
      observed("web", upstreams.web),
    ],
    outbox: undefined,
    trustProxyHops,
    describe: () =>
      Promise.all([upstreams.queryApi, upstreams.commandApi].map((each) => readDescription(each))),
  };
  const operations = await buildOperationsApp({ ...observing, mayObserve: () => false });
  const operators = await openOperators(config, () =>
    buildOperationsApp({ ...observing, mayObserve: () => true }),
  );

  const port = createSharedPort((request, response) => {
    const start = performance.now();
    const { method = "GET", url = "/" } = request;
    const backend = pickBackend(method, url);
    response.once("close", () => {
      const seconds = (performance.now() - start) / 1000;
      metrics.record({ method, route: backend, status: response.statusCode }, seconds);
    });
    (backend === "operations" ? operations : proxy).routing(request, response);
  });
  return {
    async listen(address) {
      const operationsPort = await operators?.listen(address.host);
      for (const each of Object.values(upstreams)) each.start();
      const bound = await port.listen(address);
      log.info(`Server listening at http://${address.host}:${bound.port}`);
      if (operationsPort === undefined) return bound;
      log.info(`Operators' pages at http://${address.host}:${operationsPort}`);
      return { ...bound, operationsPort };
    },
    async stop() {
      await Promise.all([port.drain(DRAIN_MS), operators?.close(DRAIN_MS)]);
      await Promise.all(Object.values(upstreams).map((each) => each.stop()));
      await Promise.all([proxy.close(), operations.close()]);
    },
  };
}

async function openOperators(
  { operationsPort }: GatewayConfig,
  build: () => Promise<FastifyInstance>,
) {
  if (operationsPort === undefined) return undefined;
  const app = await build();
  const shared = createSharedPort((request, response) => app.routing(request, response));
  return {
    async listen(host: string): Promise<number> {
      const address = { host, port: operationsPort };
      const bound = await shared.listen(address).catch((error: unknown) => {
        const reason = explainAddress(error, address, "OPERATIONS_PORT");
        throw reason ? new CannotStart(reason) : error;
      });
      return bound.port;
    },
    async close(limitMs: number): Promise<void> {
      await shared.drain(limitMs);
      await app.close();
    },
  };
}

function observed(name: string, upstreams: Upstreams): ObservedService {
  return {
    name,
    async readiness() {
      const states = upstreams.states();
      return {
        status: states.some(({ ok }) => ok) ? "ready" : "not_ready",
        service: name,
        checks: Object.fromEntries(states.map(({ url, ok, ms }) => [url, { ok, ms }])),
      };
    },
  };
}

/** The description of a service's routes, from the first of its processes that answers. */
async function readDescription(upstreams: Upstreams): Promise<OpenApiDocument> {
  let failure: unknown;
  for (const url of upstreams.order()) {
    try {
      const signal = AbortSignal.timeout(DESCRIPTION_LIMIT_MS);
      const answer = await fetch(`${url}/openapi.json`, { signal });
      if (answer.ok) return (await answer.json()) as OpenApiDocument;
      failure = new Error(`a description was answered with ${answer.status}`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
