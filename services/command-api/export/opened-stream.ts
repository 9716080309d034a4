import type { RegistryEvent } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { ExportedPlace } from "#contracts/http/account-export.ts";
import { subjects } from "#contracts/sealed.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { describeUserAgent, maskIp } from "#runtime/net/client-address.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type KeyLookups, openClient, type RegistryCodec } from "#vault/sealing/event-codec.ts";
import type { UndoneChange } from "../account/account.eraser.ts";

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

/** Reads a whole stream. @param accountId whose key opens from where it acted. */
export async function openStream<E extends RegistryEvent>(
  stream: string,
  { store, keys, codec }: StreamDeps,
  accountId?: string,
): Promise<OpenedStream<E>> {
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(stream)) stored.push(event);
  const own = accountId === undefined ? [] : [subjects.account(accountId)];
  const found = await keys.get([...codec.subjectsOf(stored), ...own]);
  const events = stored.map((each) => ({
    stored: each,
    event: codec.openEvent(each, found) as E,
  }));
  return { events, keys: found };
}

/** Whose places are shown, and when somebody else may have acted as the account. */
export interface PlaceOwner {
  readonly id: string;
  readonly undone: readonly UndoneChange[];
}

/** From where the account acted; nothing about anybody else. */
export function placeOf(
  { id, stream, type, metadata, position }: StoredEvent,
  owner: PlaceOwner,
  keys: KeyLookups,
): ExportedPlace {
  const { actor, client, schemaVersion } = metadata;
  if (actor.id !== owner.id || client === undefined) return {};
  const sealed = { id, stream, type, data: {}, metadata: { client, schemaVersion } };
  const { ip, user_agent } = openClient(sealed, keys) ?? {};
  const isForeign = owner.undone.some(({ from, to }) => from < position && position < to);
  return given({
    ip: typeof ip === "string" && !isForeign ? ip : undefined,
    network: typeof ip === "string" && isForeign ? maskIp(ip) : undefined,
    device: typeof user_agent === "string" ? describeUserAgent(user_agent) : undefined,
  });
}
