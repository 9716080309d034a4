import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import { limitBodyTime } from "./body-time.ts";
import { ARRIVAL, TLS_ARRIVAL, UPLOAD_MS, UPLOADS } from "./bounds.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { EventStreams } from "./event-streams.ts";
import { STRICT_TRANSPORT } from "./strict-transport.ts";

/** One server for several apps. Each app must be ready and must not listen itself. */
export interface SharedPort {
  /** @throws the error of the operating system: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`... */
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  /**
   * Stops accepting, lets running requests finish, and cuts off those still running at the limit, and
   * streams of events at once.
   */
  drain(limitMs: number): Promise<void>;
}

/** Milliseconds in which a request arrives that is no file. */
const OTHER_MS = 60_000;

const isUpload = ({ method, url = "" }: IncomingMessage) =>
  method === "POST" && url.split("?", 1)[0] === UPLOADS;

export interface SharedPortOptions {
  /** Times in which requests arrive; {@link ARRIVAL} when absent. */
  readonly arrival?: Readonly<Record<keyof typeof ARRIVAL, number>>;
  /** With it the port speaks HTTPS. */
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
  // The app that handles the request decides whether to invite the body.
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
