import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { KeyMissing, type RegistryCodec } from "#vault/sealing/event-codec.ts";

/** Among how many of the first events one that is sealed is looked for. The first account is one of them. */
const FIRST_EVENTS = 500;

/** A key whose name no other registry has: that of a month, or of a kind of email, is named alike in each. */
const OWN = /-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Refuses a log whose keys are not in the key store: it is another registry's, or the keys are. Otherwise an
 * account would be added to it before anything else notices.
 * @throws {KeyMissing} the key of the first event that is sealed for one registry alone was never there. A key that was destroyed is known.
 * @throws {StoreUnavailable} @throws {KeyStoreUnavailable}
 */
export async function refuseForeignLog(
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
