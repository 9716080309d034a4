import type { RegistryEvent } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { subjects } from "#contracts/sealed.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { describeUserAgent, maskIp } from "#runtime/net/client-address.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type KeyLookups, openClient } from "#vault/sealing/event-codec.ts";
import type { RegistryCodec } from "#vault/sealing/registry-codec.ts";

export interface StreamDeps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly codec: RegistryCodec;
}

/** A stored event, and what it says with its parts opened. */
export interface Opened<E> {
  readonly stored: StoredEvent;
  readonly event: E;
}

/** A stream's events, and the keys that they were opened with. */
export interface OpenedStream<E> {
  readonly events: readonly Opened<E>[];
  readonly keys: KeyLookups;
}

/** Reads a whole stream for the account, whose key opens from where it acted. */
export async function openStream<E extends RegistryEvent>(
  stream: string,
  accountId: string,
  { store, keys, codec }: StreamDeps,
): Promise<OpenedStream<E>> {
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(stream)) stored.push(event);
  const found = await keys.get([...codec.subjectsOf(stored), subjects.account(accountId)]);
  const events = stored.map((each) => ({
    stored: each,
    event: codec.openEvent(each, found) as E,
  }));
  return { events, keys: found };
}

/** From where the account acted, as its list of sessions shows it; nothing about anybody else. */
export function placeOf(
  { id, stream, type, metadata }: StoredEvent,
  accountId: string,
  keys: KeyLookups,
): { device?: string; network?: string } {
  const { actor, client, schemaVersion } = metadata;
  if (actor.id !== accountId || client === undefined) return {};
  const sealed = { id, stream, type, data: {}, metadata: { client, schemaVersion } };
  const { ip, user_agent } = openClient(sealed, keys) ?? {};
  return given({
    device: typeof user_agent === "string" ? describeUserAgent(user_agent) : undefined,
    network: typeof ip === "string" ? maskIp(ip) : undefined,
  });
}
