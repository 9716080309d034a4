import { once } from "node:events";
import http from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { answerBrokenRequest } from "#kit/http/service.ts";
import { answerWithReload, asksForPage } from "../live-reload.ts";
import { errorCode, Refusal } from "../refusal.ts";
import { type Door, pickDoor } from "./doors.ts";

/** The apps behind the port. Each is ready, and listens nowhere itself. */
export type Doors = Record<Door, FastifyInstance>;

export type OnePort = {
  /** Stops accepting, lets running requests finish, and cuts off what still runs at the limit. */
  drain(limitMs: number): Promise<void>;
};

/**
 * Serves all apps on one address.
 *
 * @throws {Refusal} the port is taken or not allowed, or the address is not this machine's.
 */
export async function openOnePort(
  doors: Doors,
  address: { host: string; port: number },
  options: { liveReload?: boolean } = {},
): Promise<OnePort> {
  let draining = false;
  const server = http.createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 10_000 },
    (request, response) => {
      if (draining) response.setHeader("connection", "close");
      const door = pickDoor(request.method ?? "GET", request.url ?? "/");
      const app = doors[door];
      if (options.liveReload && ["site", "console"].includes(door) && asksForPage(request))
        answerWithReload(app, request, response).catch((error) => response.destroy(error));
      else app.routing(request, response);
    },
  );
  server.on("clientError", (error, socket) => answerBrokenRequest(error, socket as Socket));
  await listen(server, address);
  return {
    async drain(limitMs) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const deadline = Date.now() + limitMs;
      let open = true;
      void closed.then(() => {
        open = false;
      });
      while (open && Date.now() < deadline) {
        server.closeIdleConnections();
        await Promise.race([closed, delay(50)]);
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Finds out whether an address can be listened on, before anything else is started. */
export async function checkAddress(address: { host: string; port: number }): Promise<void> {
  const probe = http.createServer();
  await listen(probe, address);
  probe.close();
  await once(probe, "close");
}

async function listen(
  server: http.Server,
  { host, port }: { host: string; port: number },
): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    switch (errorCode(error)) {
      case "EADDRINUSE":
        throw new Refusal(`Port ${port} is taken by another program: set PORT to a free one.`);
      case "EACCES":
        throw new Refusal(`This user may not listen on port ${port}: set PORT to one above 1023.`);
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        throw new Refusal(`HOST names ${host}, which is not an address of this machine.`);
    }
    throw error;
  }
}
