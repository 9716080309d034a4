import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { freePort } from "#local-servers/postgres/server.ts";

export const host = "127.0.0.1";

export interface Seen {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Behavior = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a service process that records requests, and reports whether it is ready. */
export async function upstream(
  name: string,
  seen: Seen[],
  behave: Behavior,
  ready: boolean | (() => boolean) = true,
): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const isReady = typeof ready === "boolean" ? ready : ready();
    if (request.url === "/readyz") return response.writeHead(isReady ? 200 : 503).end("{}");
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

export const answer: Behavior = (_request, response) => response.end("whole");
/** The process dies while handling the request. */
export const cut: Behavior = (request) => request.socket.destroy();
/** The process is about to exit and accepts nothing more. */
export const unavailable: Behavior = (_request, response) => {
  response.writeHead(503, { "retry-after": "5", connection: "close" }).end('{"success":false}');
};
/** The process accepts the request and never answers. */
export const frozen: Behavior = () => {};
/** An address where nothing listens. */
export const refused = async () => `http://${host}:${await freePort()}`;

export const post = (url: string, headers: Record<string, string> = {}, body = '{"a": 1}') =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
export const keyed = { "idempotency-key": "0123456789abcdef" };
