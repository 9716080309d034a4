import type { FastifyBaseLogger } from "fastify";
import { Compile } from "typebox/compile";
import { Sealed } from "#contracts/sealed.ts";
import { describeUserAgent, maskIp } from "#runtime/net/client-address.ts";
import {
  type KeyLookups,
  KeyMissing,
  openClient,
  type SealedEvent,
} from "#vault/sealing/event-codec.ts";

/** From where somebody acted, as far as anybody may know it. */
export interface ClientView {
  readonly ip_address?: string;
  readonly user_agent?: string;
}

const SEALED = Compile(Sealed);

/** Name of the key under which an event's client is sealed. */
export function clientSubject(client: unknown): string | undefined {
  return SEALED.Check(client) ? (client as Sealed).key : undefined;
}

/**
 * Masks of address and user agent; nothing for the system, and once the key is destroyed. A missing
 * key is an alarm in the log, and does not keep the rest from being read.
 */
export function maskClient(
  event: SealedEvent,
  keys: KeyLookups,
  log: FastifyBaseLogger,
): ClientView {
  try {
    const client = openClient(event, keys);
    if (!client) return {};
    const { ip, user_agent } = client;
    return {
      ...(typeof ip === "string" ? { ip_address: maskIp(ip) } : {}),
      ...(typeof user_agent === "string" ? { user_agent: describeUserAgent(user_agent) } : {}),
    };
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    log.error({ eventId: event.id, stream: event.stream }, "the key of an event is missing");
    return {};
  }
}
