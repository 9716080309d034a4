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

/** Where somebody acted from, masked for every reader. */
export interface ClientView {
  readonly ip_address?: string;
  readonly user_agent?: string;
}

const SEALED = Compile(Sealed);

/** Id of the key that seals the event's client. */
export function clientSubject(client: unknown): string | undefined {
  return SEALED.Check(client) ? (client as Sealed).key : undefined;
}

/**
 * Masks the address and user agent. Returns nothing for the system, or once the key is destroyed. A
 * missing key raises an alarm in the log, but the rest can still be read.
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
