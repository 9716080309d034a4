import { once } from "node:events";
import http from "node:http";
import type { FastifyInstance } from "fastify";
import { createSharedPort, type SharedPort } from "#http/shared-port.ts";
import { explainAddress } from "#runtime/lifecycle/explain-failure.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { answerWithReload, asksForPage } from "../live-reload.ts";

/** The apps behind the port. Each is ready, but does not listen itself. */
export type Backends = Record<Backend, FastifyInstance>;

export type OnePort = Pick<SharedPort, "drain"> & {
  /** Sets the handler, and starts listening if it has not. @throws {Refusal} if the port is unavailable. */
  answerWith(handle: Handle): Promise<void>;
};

type Handle = Parameters<typeof createSharedPort>[0];

/** Creates one address, which has no handler at first. */
export function createOnePort(address: { host: string; port: number }): OnePort {
  let current: Handle = (_request, response) => response.destroy();
  const port = createSharedPort((request, response) => current(request, response));
  let listening: Promise<unknown> | undefined;
  return {
    async answerWith(handle) {
      current = handle;
      listening ??= explained(address, () => port.listen(address));
      await listening;
    },
    drain: (limitMs) => port.drain(limitMs),
  };
}

/** Routes each request to the app it belongs to. */
export function handleBy(backends: Backends, options: { liveReload?: boolean } = {}): Handle {
  return (request, response) => {
    const backend = pickBackend(request.method ?? "GET", request.url ?? "/");
    const app = backends[backend];
    if (options.liveReload && ["site", "console"].includes(backend) && asksForPage(request))
      answerWithReload(app, request, response).catch((error) => response.destroy(error));
    else app.routing(request, response);
  };
}

/** Checks that the address can be listened on before anything else is started. */
export async function checkAddress(address: { host: string; port: number }): Promise<void> {
  const probe = http.createServer();
  await explained(address, async () => {
    probe.listen(address);
    await once(probe, "listening");
  });
  probe.close();
  await once(probe, "close");
}

async function explained(
  address: { host: string; port: number },
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const reason = explainAddress(error, address);
    throw reason ? new Refusal(reason) : error;
  }
}

/** The backends that answer requests in the one-process setup. */
export type Backend = "commandApi" | "queryApi" | "operations" | "console" | "site";

const operationsPaths = ["/healthz", "/readyz", "/metrics"];
const operationsFolders = ["/docs", "/outbox", "/__dev"];

/**
 * Picks the backend for a request, as `deploy/haproxy.cfg` does in front of separate processes. API reads go to
 * query-api, all other API requests to command-api. The old `GET .../reports/all` with an `emergency_...`
 * parameter looks like a read but is a command.
 * @param url path and query of the request line.
 */
export function pickBackend(method: string, url: string): Backend {
  const cut = url.indexOf("?");
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = cut < 0 ? "" : url.slice(cut + 1);
  if (isIn(path, "/prod")) {
    if (method !== "GET" && method !== "HEAD") return "commandApi";
    return path === "/prod/api/reports/all" && hasEmergencyParameter(query)
      ? "commandApi"
      : "queryApi";
  }
  if (operationsPaths.includes(path) || operationsFolders.some((folder) => isIn(path, folder)))
    return "operations";
  return isIn(path, "/admin") ? "console" : "site";
}

function hasEmergencyParameter(query: string): boolean {
  return [...new URLSearchParams(query).keys()].some((name) => name.startsWith("emergency_"));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
