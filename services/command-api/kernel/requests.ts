import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { X_POSITION } from "#contracts/http/position-headers.ts";
import { START } from "#event-store/port.ts";
import { idempotencyKeyOf } from "#http/idempotency.ts";
import { timeOfRequest, X_ORIGIN_TIME } from "#http/origin.ts";
import type { SealedPositions } from "#http/position-headers.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import { commandId } from "#vault/sealing/hashes.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "./envelope.ts";

/** Maximum stored length of a user agent. */
const USER_AGENT = 500;

/** Reads the sender of a command from requests, and sets positions in replies. */
export interface Requests {
  caller(request: FastifyRequest): Caller;
  /**
   * @param target id of the aggregate; empty when one is created.
   * @param body what a retry under the same Idempotency-Key must repeat.
   */
  envelope(request: FastifyRequest, target: string, body: unknown): CommandEnvelope;
  /** Tells the client the position from which reads show the command; nothing of `START`. */
  position(reply: FastifyReply, position: string): void;
}

/**
 * @param commandKey the service key `commands`.
 * @param epoch of the log. It changes only while no service runs.
 */
export function createRequests(deps: {
  readonly commandKey: LiveKey;
  readonly epoch: string;
  readonly positions: SealedPositions;
  readonly now: () => Date;
}): Requests {
  const requests: Requests = {
    caller(request) {
      const { actor, origin, ip } = request;
      const agent = request.headers["user-agent"] ?? "";
      return {
        actor,
        origin,
        // Samples come from the loader, whose address means nothing.
        ...(origin === "sample"
          ? {}
          : {
              client: { ip, user_agent: storableText(agent).slice(0, USER_AGENT).toWellFormed() },
            }),
        correlationId: randomUUID(),
        now: timeOfRequest(origin, request.headers[X_ORIGIN_TIME], deps.now()).toISOString(),
      };
    },
    envelope(request, target, body) {
      const caller = requests.caller(request);
      const key = idempotencyKeyOf(request.headers);
      if (key === undefined) return { ...newEnvelope(caller), body };
      const { method } = request;
      const route = request.routeOptions.url ?? "";
      const identity = { actor: request.actor.id, method, route, target, idempotencyKey: key };
      const id = commandId(deps.commandKey.current(), identity);
      const ids = deps.commandKey.all().map((each) => commandId(each, identity));
      return { caller, id, ids, body };
    },
    position(reply, position) {
      // Where the log is away, a change of credentials is made, and has no position yet.
      if (position !== START)
        reply.header(X_POSITION, deps.positions.seal({ epoch: deps.epoch, position }));
    },
  };
  return requests;
}

/** Text of a header in a form that the log can store. */
function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
