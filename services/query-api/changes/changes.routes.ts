import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import type { Role } from "#contracts/http/auth.ts";
import { CHANGES } from "#contracts/http/changes.ts";
import { type AccountGate, identify, TOKEN_LIFE } from "#http/auth.ts";
import { acceptsEvents, EVENT_STREAM } from "#http/event-streams.ts";
import type { LogPosition } from "#http/position-headers.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { changeFrames } from "./change-frames.ts";

/** Asks the same of a position that cannot be read as of one of another log: everything may have changed. */
const UNKNOWN: LogPosition = { epoch: "", position: "" };

/** The stream that tells the console what others change. */
export function changeRoutes(
  app: ServiceInstance,
  { feed, claims, streams, accounts, positions }: ReadSide,
): void {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  app.route({
    method: "GET",
    url: CHANGES,
    // It ends with the token, and goes on with the next one.
    handlerTimeout: (TOKEN_LIFE + 60) * 1000,
    config: { roles: ["admin", "auditor"], limit: "read" },
    schema: {
      tags: ["system"],
      summary: "Changes as server-sent events: resources and IDs, no contents",
      produces: [EVENT_STREAM],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { actor } = request;
      // Nobody would read it.
      if (request.method === "HEAD") return ofEvents(reply).send("");
      const close = streams.open(actor.id ?? "");
      const gone = new AbortController();
      const header = request.headers["last-event-id"];
      const frames = changeFrames({
        feed,
        claims,
        role: actor.role as Role,
        since: header === undefined ? undefined : (positions.open(header) ?? UNKNOWN),
        // Whoever cannot read a stream asks now and then instead.
        lasts: acceptsEvents(request.raw),
        mayGoOn: () => isStillAllowed(request, accounts),
        seal: positions.seal,
        signal: AbortSignal.any([closing.signal, gone.signal]),
      });
      const text = Readable.from(frames, { objectMode: false });
      text.once("close", () => {
        gone.abort();
        close();
      });
      return ofEvents(reply).send(text);
    },
  });
}

function ofEvents(reply: FastifyReply): FastifyReply {
  return (
    reply
      .type(EVENT_STREAM)
      // No proxy may keep it, pack it or hold it back.
      .header("cache-control", "no-store, no-transform")
      .header("x-accel-buffering", "no")
      // Kept open without a request, it would hold up a service that stops.
      .header("connection", "close")
  );
}

/** Whether whoever opened the stream could open it again now, in the same role. */
async function isStillAllowed(request: FastifyRequest, accounts: AccountGate): Promise<boolean> {
  try {
    const { id, role, needsFactor } = await identify(request, accounts);
    return !needsFactor && id === request.actor.id && role === request.actor.role;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
