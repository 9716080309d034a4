import { KeyBroken, type KeyStore } from "../keys/key-store.ts";
import type { ErasureLedger } from "./erasure-ledger.ts";

/**
 * The same key store, which writes every key into the ledger before it destroys it. If the process
 * dies in between, the ledger has a line too many for a moment: the erasure is in the log, and the
 * shredder destroys the key. If the ledger cannot be written, no key is destroyed: `destroy` throws
 * {@link LedgerUnavailable}, and the shredder tries again until it can.
 */
export function recordErasures(keys: KeyStore, ledger: Pick<ErasureLedger, "record">): KeyStore {
  /** Those whose keys are not destroyed yet, each once. */
  async function live(subjects: readonly string[]): Promise<string[]> {
    const once = [...new Set(subjects)];
    try {
      const states = await keys.get(once);
      return once.filter((subject) => states.get(subject)?.state !== "destroyed");
    } catch (error) {
      // A damaged key must go as well.
      if (error instanceof KeyBroken) return once;
      throw error;
    }
  }

  async function destroy(subjects: readonly string[], at: string): Promise<number> {
    const due = await live(subjects);
    await ledger.record(due.map((subject) => ({ subject, at })));
    return keys.destroy(due, at);
  }

  return {
    destroy,
    /** One by one, since a key may be listed under the account meanwhile. */
    async destroyOwnedBy(owner, at) {
      let destroyed = 0;
      for (;;) {
        const owned = await live(await keys.ownedBy(owner));
        if (owned.length === 0) return destroyed;
        destroyed += await destroy(owned, at);
      }
    },
    ensure: (subjects) => keys.ensure(subjects),
    get: (subjects) => keys.get(subjects),
    own: (owner, subjects) => keys.own(owner, subjects),
    disown: (owner, only) => keys.disown(owner, only),
    ownedBy: (owner, page) => keys.ownedBy(owner, page),
    serviceKey: (name) => keys.serviceKey(name),
    liveKey: (name) => keys.liveKey(name),
    tokenVerifier: () => keys.tokenVerifier(),
    replaceServiceKey: (name, leadMs) => keys.replaceServiceKey(name, leadMs),
    rotate: (newMaster, onProgress) => keys.rotate(newMaster, onProgress),
    sweepUnused: (olderThan, inUse) => keys.sweepUnused(olderThan, inUse),
    close: () => keys.close(),
  };
}
