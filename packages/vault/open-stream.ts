import type { RegistryEvent } from "#contracts/events/index.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "./keys/key-store.ts";
import type { KeyLookups, RegistryCodec } from "./sealing/event-codec.ts";

/** Dependencies for reading and opening a stream. */
export interface StreamDeps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly codec: RegistryCodec;
}

/** A stored event, and the same with its parts opened. */
export interface Opened<E> {
  readonly stored: StoredEvent;
  readonly event: E;
}

/** A stream's events, and the keys that opened them. */
export interface OpenedStream<E> {
  readonly events: readonly Opened<E>[];
  readonly keys: KeyLookups;
}

/**
 * Reads a stream, and opens its events with one lookup of their keys.
 * @param options.limit maximum number of events; all if absent.
 * @param options.also subjects of other keys that the caller needs.
 * @throws {UnknownEvent}
 * @throws {KeyMissing}
 * @throws {StoreUnavailable}
 * @throws {KeyStoreUnavailable}
 */
export async function openStream<E extends RegistryEvent>(
  stream: string,
  { store, keys, codec }: StreamDeps,
  { limit, also = [] }: { readonly limit?: number; readonly also?: readonly string[] } = {},
): Promise<OpenedStream<E>> {
  const stored: StoredEvent[] = [];
  const options = limit === undefined ? {} : { limit };
  for await (const event of store.readStream(stream, 0, options)) stored.push(event);
  const found = await keys.get([...codec.subjectsOf(stored), ...also]);
  const events = stored.map((each) => ({
    stored: each,
    event: codec.openEvent(each, found) as E,
  }));
  return { events, keys: found };
}
