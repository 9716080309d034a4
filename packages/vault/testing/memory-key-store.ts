import { randomBytes } from "node:crypto";
import {
  type KeyLookup,
  type KeyRequest,
  type KeyStore,
  type RotationProgress,
  VersionedKey,
} from "../keys/key-store.ts";
import { KEY_BYTES } from "../keys/master-ring.ts";
import { keyId, LEAD_MS, publicKeyOf, SERVICE_KEYS, verifyingKey } from "../keys/service-keys.ts";

interface Entry {
  owner: string | undefined;
  readonly lookup: KeyLookup;
  ensuredAt: number;
}

interface ServiceKeyEntry {
  readonly key: Buffer;
  readonly usedFrom: number;
  endsAt: number | null;
}

/** Key store for unit tests: nothing is wrapped, and everything is lost with the process. */
export function createMemoryKeyStore(): KeyStore {
  const entries = new Map<string, Entry>();
  const serviceKeys = new Map<string, ServiceKeyEntry[]>();
  const liveKeys = new Map<string, VersionedKey>();
  const present = () => [...entries].filter(([, entry]) => entry.lookup.state === "present");

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

  function versionsOf(name: string): ServiceKeyEntry[] {
    const first = { key: randomBytes(KEY_BYTES), usedFrom: Date.now(), endsAt: null };
    const versions = serviceKeys.get(name) ?? [first];
    serviceKeys.set(name, versions);
    return versions;
  }

  /** The live key with that name, brought up to date. */
  function live(name: string): VersionedKey {
    const key = liveKeys.get(name) ?? new VersionedKey(name);
    liveKeys.set(name, key);
    const now = Date.now();
    key.set(
      versionsOf(name).map((entry, index) => ({
        version: index + 1,
        key: entry.key,
        usedInMs: entry.usedFrom - now,
        endsInMs: entry.endsAt === null ? null : entry.endsAt - now,
      })),
    );
    return key;
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
      const owned = present().filter(([, entry]) => entry.owner === owner);
      return owned.reduce((count, [subject]) => count + destroy(subject, at), 0);
    },
    async own(owner, subjects) {
      for (const subject of subjects) {
        const entry = entries.get(subject);
        if (entry) entry.owner ??= owner;
      }
    },
    async disown(owner, only) {
      for (const [subject, entry] of entries)
        if (entry.owner === owner && (only?.includes(subject) ?? true)) entry.owner = undefined;
    },
    async ownedBy(owner, { after = "", limit } = { limit: Number.POSITIVE_INFINITY }) {
      const owned = [...entries].filter(([, entry]) => entry.owner === owner);
      const subjects = owned.map(([subject]) => subject).sort();
      return subjects.filter((subject) => subject > after).slice(0, limit);
    },
    async serviceKey(name) {
      return live(name).current();
    },
    async liveKey(name) {
      return live(name);
    },
    async tokenVerifier() {
      const tokens = live("tokens");
      return {
        async publicKey(kid) {
          const found = tokens.all().map(publicKeyOf);
          const spki = found.find((each) => keyId(each) === kid);
          return spki && verifyingKey(spki);
        },
      };
    },
    async replaceServiceKey(name, leadMs = LEAD_MS) {
      const now = Date.now();
      const versions = versionsOf(name);
      const formerEnds = now + leadMs + SERVICE_KEYS[name];
      for (const version of versions) version.endsAt ??= formerEnds;
      versions.push({ key: randomBytes(KEY_BYTES), usedFrom: now + leadMs, endsAt: null });
      live(name);
      return { usedFrom: new Date(now + leadMs), formerEnds: new Date(formerEnds) };
    },
    async rotate(_newMaster: Buffer, onProgress?: RotationProgress) {
      const count = present().length + serviceKeys.size;
      onProgress?.(count);
      return count;
    },
    async sweepUnused(olderThan, inUse) {
      const candidates = present()
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
