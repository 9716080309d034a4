import type { Logger } from "pino";
import { createMetrics } from "#kit/http/metrics.ts";
import { createSharedPort } from "#kit/http/shared-port.ts";
import { Upstreams, type UpstreamsOptions } from "#kit/http/upstreams.ts";
import type { Listener } from "#kit/lifecycle/run-process.ts";
import { pickDoor } from "../one-port/doors.ts";
import type { OpenApiDocument } from "../operations/openapi.ts";
import { buildOperationsApp, type ObservedService } from "../operations/operations.app.ts";
import type { GatewayConfig } from "./config.ts";
import { buildProxyApp } from "./proxy.app.ts";

/** Milliseconds that running requests get to finish. */
const DRAIN_MS = 6000;
const DESCRIPTION_LIMIT_MS = 3000;

export interface Gateway extends Listener {
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly upstreams?: UpstreamsOptions;
  readonly answerLimitMs?: number;
}

/**
 * One public port over any number of processes of each service: the same doors as in the
 * one-process profile. Ready while each service has a process that is.
 */
export async function composeGateway(
  config: GatewayConfig,
  log: Logger,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const upstreams = {
    commandApi: new Upstreams(config.commandApi, options.upstreams),
    queryApi: new Upstreams(config.queryApi, options.upstreams),
    web: new Upstreams(config.web, options.upstreams),
  };
  const { trustProxyHops } = config;
  const proxy = await buildProxyApp({
    log,
    upstreams,
    trustProxyHops,
    ...(options.answerLimitMs === undefined ? {} : { answerLimitMs: options.answerLimitMs }),
  });
  const metrics = createMetrics("gateway", false);
  const operations = await buildOperationsApp({
    version: config.version,
    log,
    services: [
      { ...observed("command-api", upstreams.commandApi), registry: metrics.registry },
      observed("query-api", upstreams.queryApi),
      observed("web", upstreams.web),
    ],
    outbox: undefined,
    describe: () =>
      Promise.all([upstreams.queryApi, upstreams.commandApi].map((each) => readDescription(each))),
  });

  const port = createSharedPort((request, response) => {
    const start = performance.now();
    const { method = "GET", url = "/" } = request;
    const door = pickDoor(method, url);
    response.once("close", () => {
      const seconds = (performance.now() - start) / 1000;
      metrics.record({ method, route: door, status: response.statusCode }, seconds);
    });
    (door === "operations" ? operations : proxy).routing(request, response);
  });
  return {
    async listen(address) {
      for (const each of Object.values(upstreams)) each.start();
      const bound = await port.listen(address);
      log.info(`Server listening at http://${address.host}:${bound.port}`);
      return bound;
    },
    async stop() {
      await port.drain(DRAIN_MS);
      await Promise.all(Object.values(upstreams).map((each) => each.stop()));
      await Promise.all([proxy.close(), operations.close()]);
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

/** The description of a service's routes, from whichever of its processes answers. */
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
