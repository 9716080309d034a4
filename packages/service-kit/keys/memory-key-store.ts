import { randomBytes } from "node:crypto";
import type { KeyLookup, KeyRequest, KeyStore, RotationProgress } from "./key-store.ts";
import { KEY_BYTES } from "./wrapping.ts";

interface Entry {
  readonly owner: string | undefined;
  readonly lookup: KeyLookup;
  ensuredAt: number;
}

/** Key store of unit tests: nothing is wrapped, and everything is gone with the process. */
export function createMemoryKeyStore(): KeyStore {
  const entries = new Map<string, Entry>();
  const serviceKeys = new Map<string, Buffer>();
  const live = () => [...entries].filter(([, entry]) => entry.lookup.state === "present");

  function destroy(subject: string, at: string): number {
    const before = entries.get(subject);
    if (before?.lookup.state === "destroyed") return 0;
    const lookup = { state: "destroyed", at: new Date(at).toISOString() } as const;
    entries.set(subject, { owner: before?.owner, lookup, ensuredAt: 0 });
    return before ? 1 : 0;
  }

  function get(subjects: readonly string[]): ReadonlyMap<string, KeyLookup> {
    return new Map(
      subjects.map((subject) => [
        subject,
        entries.get(subject)?.lookup ?? { state: "missing" as const },
      ]),
    );
  }

  return {
    async ensure(subjects: readonly KeyRequest[]) {
      for (const { subject, owner } of subjects) {
        const before = entries.get(subject);
        if (before) before.ensuredAt = Date.now();
        else {
          const lookup = { state: "present", key: randomBytes(KEY_BYTES) } as const;
          entries.set(subject, { owner, lookup, ensuredAt: Date.now() });
        }
      }
      return get(subjects.map(({ subject }) => subject));
    },
    async get(subjects) {
      return get(subjects);
    },
    async destroy(subjects, at) {
      return subjects.reduce((count, subject) => count + destroy(subject, at), 0);
    },
    async destroyOwnedBy(owner, at) {
      const owned = live().filter(([, entry]) => entry.owner === owner);
      return owned.reduce((count, [subject]) => count + destroy(subject, at), 0);
    },
    async serviceKey(name) {
      const key = serviceKeys.get(name) ?? randomBytes(KEY_BYTES);
      serviceKeys.set(name, key);
      return key;
    },
    async rotate(_newMaster: Buffer, onProgress?: RotationProgress) {
      const count = live().length + serviceKeys.size;
      onProgress?.(count);
      return count;
    },
    async sweepUnused(olderThan, inUse) {
      const candidates = live()
        .filter(([, entry]) => entry.ensuredAt < olderThan.getTime())
        .map(([subject]) => subject);
      const used = await inUse(candidates);
      const unused = candidates.filter((subject) => !used.has(subject));
      for (const subject of unused) entries.delete(subject);
      return unused.length;
    },
    async close() {},
  };
}
