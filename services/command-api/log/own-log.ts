import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { KeyMissing, type RegistryCodec } from "#vault/sealing/event-codec.ts";

/** How many of the first events to search for a sealed one. They include the first account. */
const FIRST_EVENTS = 500;

/** Matches subjects that are unique to a registry. Those of a month or a kind of email have the same name in each. */
const OWN = /-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Refuses a log whose keys are not in the key store, because one of the two belongs to another registry. Otherwise,
 * an account would be added to it before anything else notices.
 * @throws {KeyMissing} if the key of the first event sealed with a registry-specific key has never existed. A
 *   destroyed key is known.
 * @throws {StoreUnavailable}
 * @throws {KeyStoreUnavailable}
 */
export async function assertOwnLog(
  store: Pick<EventStore, "readAll">,
  keys: Pick<KeyStore, "get">,
  codec: Pick<RegistryCodec, "subjectsOf">,
): Promise<void> {
  for await (const event of store.readAll(undefined, undefined, { limit: FIRST_EVENTS })) {
    const subjects = codec.subjectsOf([event]).filter((subject) => OWN.test(subject));
    if (subjects.length === 0) continue;
    const found = await keys.get(subjects);
    for (const subject of subjects)
      if (found.get(subject)?.state === "missing") throw new KeyMissing(subject);
    return;
  }
}
