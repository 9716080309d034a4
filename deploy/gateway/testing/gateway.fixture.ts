import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { freePort } from "#local-servers/postgres/server.ts";
import { createLogger } from "#runtime/log.ts";
import { composeGateway, type Gateway, type GatewayOptions } from "../gateway.ts";

export const host = "127.0.0.1";
const silent = createLogger({
  name: "test",
  destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

export interface Seen {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A process of a service that records what arrives. Tests answer its `/readyz` themselves. */
export async function upstream(name: string, seen: Seen[], behave: Behaviour): Promise<string> {
  const server = http.createServer(async (request, response) => {
    if (request.url === "/readyz") return response.end("{}");
    const { method = "", url = "", headers } = request;
    const body = await text(request).catch(() => "(cut)");
    seen.push({ at: name, method, url, headers, body });
    behave(request, response);
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

export const answer: Behaviour = (request, response) => {
  response.setHeader("x-request-id", String(request.headers["x-request-id"] ?? ""));
  response.end("whole");
};
/** The process dies while it works on the request. */
export const cut: Behaviour = (request) => request.socket.destroy();
export const unavailable: Behaviour = (_request, response) => {
  response.writeHead(503, { "retry-after": "5", connection: "close" }).end('{"success":false}');
};
export const refused = async () => `http://${host}:${await freePort()}`;

interface Setting {
  readonly commandApi?: readonly string[];
  readonly queryApi?: readonly string[];
  readonly web?: readonly string[];
  readonly trustProxyHops?: number;
}

type Limits = Pick<GatewayOptions, "answerLimitMs" | "silenceLimitMs">;

/** Opens the gateway. It probes its upstreams at most once, at the start. */
export async function openBoth(setting: Setting, limits: Limits = {}) {
  const nobody = [await refused()];
  const gateway: Gateway = await composeGateway(
    {
      version: "test",
      host,
      port: 0,
      logLevel: "silent",
      startedByNpm: false,
      commandApi: setting.commandApi ?? nobody,
      queryApi: setting.queryApi ?? nobody,
      web: setting.web ?? nobody,
      trustProxyHops: setting.trustProxyHops ?? 0,
      operationsPort: 0,
    },
    silent,
    {
      // Without probes, only connections show whether an upstream works.
      upstreams: {
        probeMs: 3_600_000,
        suspendMs: 3_600_000,
        fetch: async () => new Response("{}"),
      },
      ...limits,
    },
  );
  const { port, operationsPort } = await gateway.listen({ host, port: 0 });
  onTestFinished(() => gateway.stop());
  return { url: `http://${host}:${port}`, operators: `http://${host}:${operationsPort}` };
}

export const open = async (setting: Setting, limits?: Limits) =>
  (await openBoth(setting, limits)).url;

/** Whether each process of a service is healthy, as operators see it. */
export async function statesOf(operators: string, service: string): Promise<boolean[]> {
  const { services } = (await (await fetch(`${operators}/readyz`)).json()) as {
    services: Record<string, { checks: Record<string, { ok: boolean }> }>;
  };
  return Object.values(services[service]?.checks ?? {}).map(({ ok }) => ok);
}

export const post = (url: string, headers: Record<string, string> = {}, body = '{"a": 1}') =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
export const keyed = { "idempotency-key": "0123456789abcdef" };
