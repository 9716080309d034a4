import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { errorStatuses } from "#contracts/error-statuses.ts";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import { ARRIVAL, TLS_ARRIVAL, UPLOAD_MS, UPLOADS } from "./bounds.ts";
import { fail } from "./envelope.ts";
import { messages } from "./errors.ts";
import { STRICT_TRANSPORT } from "./strict-transport.ts";

/** One server for several apps. Each app must be ready and must not listen itself. */
export interface SharedPort {
  /** @throws the operating system's error: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`... */
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  /** Stops accepting, lets requests finish until the limit, and cuts off event streams immediately. */
  drain(limitMs: number): Promise<void>;
}

/** Milliseconds for a request other than a file upload to arrive. */
const OTHER_MS = 60_000;

const isUpload = ({ method, url = "" }: IncomingMessage) =>
  method === "POST" && url.split("?", 1)[0] === UPLOADS;

export interface SharedPortOptions {
  /** Timeouts for requests to arrive; {@link ARRIVAL} by default. */
  readonly arrival?: Readonly<Record<keyof typeof ARRIVAL, number>>;
  /** With it, the port serves HTTPS. */
  readonly tls?: TlsPair | undefined;
}

export function createSharedPort(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { arrival = ARRIVAL, tls }: SharedPortOptions = {},
): SharedPort {
  let draining = false;
  const streams = new EventStreams();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("strict-transport-security", STRICT_TRANSPORT);
    if (draining) response.setHeader("connection", "close");
    // Without a service behind it, nothing else limits how slowly a body may arrive.
    limitBodyTime(request, isUpload(request) ? UPLOAD_MS : OTHER_MS);
    streams.note(request, response);
    handle(request, response);
  };
  const options = { ...arrival, keepAliveTimeout: 10_000 };
  const server = tls
    ? https.createServer({ ...TLS_ARRIVAL, ...options, ...tls }, take)
    : http.createServer(options, take);
  // The app that handles the request decides whether to send 100 Continue.
  server.on("checkContinue", take);
  server.on("clientError", (error, socket) => answerBrokenRequest(error, socket as Socket));
  return {
    async listen(address) {
      server.listen(address);
      await once(server, "listening");
      const bound = server.address();
      return { port: typeof bound === "object" && bound ? bound.port : address.port };
    },
    async drain(limitMs) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const deadline = Date.now() + limitMs;
      let open = true;
      void closed.then(() => {
        open = false;
      });
      while (open && Date.now() < deadline) {
        streams.cut();
        server.closeIdleConnections();
        await Promise.race([closed, delay(50)]);
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Ends a request that is incomplete after `ms` with 408. The server's own limit is for the slowest requests. */
export function limitBodyTime(request: IncomingMessage, ms: number): void {
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const timer = setTimeout(() => {
    if (request.complete !== false) return;
    answerBrokenRequest(new RequestTimeout(), request.socket);
    request.destroy();
  }, ms);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly code = "ERR_HTTP_REQUEST_TIMEOUT";
}

/** Answers bytes that are not an HTTP request and so have no request object. Used by every server. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const code =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "headers_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : "invalid_request";
  const body = JSON.stringify(fail(code, messages[code]));
  socket.end(
    `HTTP/1.1 ${errorStatuses[code]} ${code}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Strict-Transport-Security: ${STRICT_TRANSPORT}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Sends 100 Continue (RFC 9110, section 10.1.1) only after the caller is admitted and the announced
 * length is within the route's limit. A request rejected before that gets its final reply
 * immediately, and its body need not be sent.
 */
export function registerExpectContinue(app: FastifyInstance): void {
  app.server.on("checkContinue", (request, response) => app.routing(request, response));
  app.addHook("preParsing", async ({ headers, routeOptions }, reply) => {
    if (headers.expect?.toLowerCase() !== "100-continue") return;
    // A longer body is rejected in the next step.
    if (Number(headers["content-length"] ?? 0) > routeOptions.bodyLimit) return;
    reply.raw.writeContinue();
  });
}

/** Content type of server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** Whether the request's sender accepts server-sent events. */
export function acceptsEvents({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers.accept?.includes(EVENT_STREAM) ?? false;
}

/** Replies that would continue for as long as their readers want. */
class EventStreams {
  readonly #open = new Set<ServerResponse>();

  /** Tracks a reply whose request accepts events. */
  note(request: IncomingMessage, response: ServerResponse): void {
    if (!acceptsEvents(request)) return;
    this.#open.add(response);
    response.once("close", () => this.#open.delete(response));
  }

  /** Cuts them off so that the server can stop. Their readers reconnect. */
  cut(): void {
    for (const response of this.#open) response.destroy();
  }
}
