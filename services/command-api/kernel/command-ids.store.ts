import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { X_POSITION } from "#contracts/http/position-headers.ts";
import { type EventStore, START } from "#event-store/port.ts";
import type { Remark } from "#http/envelope.ts";
import { idempotencyKeyOf } from "#http/idempotency.ts";
import { timeOfRequest, X_ORIGIN_TIME } from "#http/origin.ts";
import type { SealedPositions } from "#http/position-headers.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import { commandId } from "#vault/sealing/hashes.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "./envelope.ts";

/** Settles the ID of a command that creates something, so that a retry gets the same ID even after a key rotation. */
export class CommandIds {
  readonly #pool: Pool;
  readonly #store: Pick<EventStore, "readStream">;

  constructor(pool: Pool, store: Pick<EventStore, "readStream">) {
    this.#pool = pool;
    this.#store = store;
  }

  /** @param streamOf returns the stream that a command with this ID creates. */
  async settle(
    envelope: CommandEnvelope,
    streamOf: (id: string) => string,
  ): Promise<CommandEnvelope> {
    const { ids = [] } = envelope;
    const [oldest] = ids;
    if (oldest === undefined || ids.length < 2) return envelope;
    // It may have been accepted before this process knew the new key, so no ID was stored.
    for (const id of ids) if (await this.#isThere(streamOf(id))) return { ...envelope, id };
    // Processes switch to a new key at different moments. The first one to get here decides.
    const { rows } = await this.#pool.query<{ id: string }>(
      `insert into command.command_id (oldest, id) values ($1, $2)
       on conflict (oldest) do update set oldest = excluded.oldest returning id`,
      [oldest, envelope.id],
    );
    return { ...envelope, id: rows[0]?.id ?? envelope.id };
  }

  /** Deletes IDs chosen before this time. An old key is valid alongside the new one for a day at most. */
  async sweep(before: Date): Promise<void> {
    await this.#pool.query("delete from command.command_id where chosen_at < $1", [before]);
  }

  async #isThere(stream: string): Promise<boolean> {
    for await (const _ of this.#store.readStream(stream, 0, { limit: 1 })) return true;
    return false;
  }
}

const USER_AGENT = 500;

declare module "fastify" {
  interface FastifyRequest {
    readonly caller: Caller;
    /** @param target ID of the aggregate; empty for a new one. @param body what a retry must repeat. */
    envelope(target: string, body: unknown): CommandEnvelope;
  }
  interface FastifyReply {
    /** Sets the position from which reads show the command. No-op for `START`. */
    at(position: string): void;
  }
}

/** What {@link decorateCommands} needs. */
export interface CommandDecorations {
  /** The service key `commands`. */
  readonly commandKey: LiveKey;
  /** Epoch of the log, which only changes while no service runs. */
  readonly epoch: string;
  readonly positions: SealedPositions;
}

/** Adds the sender and envelope of commands to requests, and positions to replies. */
export function decorateCommands(
  app: ServiceInstance,
  { commandKey, epoch, positions }: CommandDecorations,
): void {
  app.decorateRequest("caller", { getter: callerOf });
  app.decorateRequest("envelope", function (target, body) {
    const key = idempotencyKeyOf(this.headers);
    if (key === undefined) return { ...newEnvelope(this.caller), body };
    const route = this.routeOptions.url ?? "";
    const { method, actor } = this;
    const identity = { actor: actor.id, method, route, target, idempotencyKey: key };
    return { caller: this.caller, ...idsOf(commandKey, identity), body };
  });
  app.decorateReply("at", function (position) {
    // While the log is down, credentials can still change. Such a change has no position yet.
    if (position !== START) this.header(X_POSITION, positions.seal({ epoch, position }));
  });
  app.addHook("preSerialization", async (_request, reply, payload) => {
    const { position, ...shown } = payload as Remark;
    if (position) reply.at(position);
    return shown;
  });
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Returns the same caller, with one correlation ID, for the whole request. */
function callerOf(this: FastifyRequest): Caller {
  const known = callers.get(this);
  if (known) return known;
  const { actor, origin, ip, headers } = this;
  const agent = headers["user-agent"] ?? "";
  const caller: Caller = {
    actor,
    origin,
    // Samples come from the loader, whose address means nothing.
    ...(origin === "sample"
      ? {}
      : { client: { ip, user_agent: storableText(agent).slice(0, USER_AGENT).toWellFormed() } }),
    correlationId: randomUUID(),
    now: timeOfRequest(origin, headers[X_ORIGIN_TIME], new Date()).toISOString(),
  };
  callers.set(this, caller);
  return caller;
}

/** IDs of a command, the same for a retry with the same key. @param commandKey the service key `commands`. */
export function idsOf(
  commandKey: LiveKey,
  identity: Parameters<typeof commandId>[1],
): Required<Pick<CommandEnvelope, "id" | "ids">> {
  const ids = commandKey.all().map((key) => commandId(key, identity));
  return { id: commandId(commandKey.current(), identity), ids };
}

/** Makes the text of a header storable in the log. */
function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
