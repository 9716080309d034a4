import { randomBytes, sign, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { KeyLookup, KeyStore } from "./key-store.ts";
import { SERVICE_KEYS, signingKey } from "./service-keys.ts";

/** The time of a deletion, and a later one. */
const AT = "2026-11-02T10:20:30.456Z";
const LATER = "2027-01-01T00:00:00.000Z";

/** The behavior of every key store. Each adapter runs the whole suite. */
export function keyStoreContract(name: string, make: () => Promise<KeyStore>): void {
  describe(`key store: ${name}`, () => {
    let store: KeyStore;
    beforeAll(async () => {
      store = await make();
    });
    afterAll(async () => {
      await store.close();
    });

    /** Each test uses its own subjects. */
    const subject = (kind = "personal") => `${kind}-${crypto.randomUUID()}`;
    const look = async (of: string): Promise<KeyLookup | undefined> =>
      (await store.get([of])).get(of);
    const keyOf = async (of: string): Promise<Buffer> => {
      const found = await look(of);
      if (found?.state !== "present") throw new Error(`${of} is ${found?.state}`);
      return found.key;
    };

    it("creates a random key of 32 bytes for each subject", async () => {
      const [a, b] = [subject(), subject()];
      await store.ensure([{ subject: a }, { subject: b }]);
      expect(await keyOf(a)).toHaveLength(32);
      expect((await keyOf(a)).equals(await keyOf(b))).toBe(false);
    });

    it("leaves an existing key unchanged", async () => {
      const a = subject();
      await store.ensure([{ subject: a }]);
      const before = await keyOf(a);
      await store.ensure([{ subject: a }, { subject: a }]);
      expect(await keyOf(a)).toEqual(before);
    });

    it("returns new keys and existing ones, in any state", async () => {
      const [made, present, destroyed] = [subject(), subject(), subject()];
      await store.ensure([{ subject: present }, { subject: destroyed }]);
      await store.destroy([destroyed], AT);
      const all = [made, present, destroyed];
      const answered = await store.ensure(all.map((of) => ({ subject: of })));
      expect(answered).toEqual(await store.get(all));
      expect(answered.get(made)?.state).toBe("present");
      expect(answered.get(destroyed)).toEqual({ state: "destroyed", at: AT });
      expect(await store.ensure([])).toEqual(new Map());
    });

    it("answers each of many concurrent calls with its own keys", async () => {
      const shared = subject();
      const calls = Array.from({ length: 20 }, () => [subject(), shared]);
      const answers = await Promise.all(
        calls.map((call) => store.ensure(call.map((of) => ({ subject: of })))),
      );
      for (const [i, call] of calls.entries()) expect(answers[i]).toEqual(await store.get(call));
    });

    it("gives racing writers the same key", async () => {
      const many = Array.from({ length: 20 }, () => subject());
      const reversed = many.toReversed();
      await Promise.all(
        Array.from({ length: 16 }, (_, writer) =>
          store.ensure((writer % 2 ? many : reversed).map((of) => ({ subject: of }))),
        ),
      );
      const [first, second] = [await store.get(many), await store.get(many)];
      expect([...first.values()].every((entry) => entry.state === "present")).toBe(true);
      expect(second).toEqual(first);
    });

    it("returns an entry for every requested subject, and reports unknown ones as missing", async () => {
      const [a, b] = [subject(), subject()];
      await store.ensure([{ subject: a }]);
      const found = await store.get([a, b, a]);
      expect([...found.keys()].sort()).toEqual([a, b].sort());
      expect(found.get(b)).toEqual({ state: "missing" });
      expect(await store.get([])).toEqual(new Map());
    });

    it("destroys a key permanently and reports when", async () => {
      const a = subject();
      await store.ensure([{ subject: a }]);
      expect(await store.destroy([a], AT)).toBe(1);
      expect(await look(a)).toEqual({ state: "destroyed", at: AT });
      await store.ensure([{ subject: a }]);
      expect(await look(a)).toEqual({ state: "destroyed", at: AT });
    });

    it("destroys once, and keeps the first time", async () => {
      const a = subject();
      await store.ensure([{ subject: a }]);
      await store.destroy([a, a], AT);
      expect(await store.destroy([a], LATER)).toBe(0);
      expect(await look(a)).toEqual({ state: "destroyed", at: AT });
    });

    it("records the destruction of a key that never existed, so that none can be created", async () => {
      const a = subject();
      expect(await store.destroy([a], AT)).toBe(0);
      await store.ensure([{ subject: a }]);
      expect(await look(a)).toEqual({ state: "destroyed", at: AT });
    });

    it("destroys the keys listed under an account and no others", async () => {
      const [owner, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const [a, b, c, d] = [subject("reporter"), subject("reporter"), subject(), subject()];
      await store.ensure([
        { subject: a, owner },
        { subject: b, owner },
        { subject: c, owner: other },
        { subject: d },
      ]);
      await store.destroy([b], AT);
      expect(await store.destroyOwnedBy(owner, LATER)).toBe(1);
      expect(await store.destroyOwnedBy(owner, LATER)).toBe(0);
      expect(await store.ownedBy(owner)).toHaveLength(2);
      expect(await store.ownedBy("nobody")).toEqual([]);
      expect(await look(a)).toEqual({ state: "destroyed", at: LATER });
      expect(await look(b)).toEqual({ state: "destroyed", at: AT });
      expect((await look(c))?.state).toBe("present");
      expect((await look(d))?.state).toBe("present");
    });

    it("lists the keys of an account page by page", async () => {
      const owner = crypto.randomUUID();
      const own = [subject(), subject(), subject("reporter")].sort();
      await store.ensure(own.map((each) => ({ subject: each, owner })));
      await store.ensure([{ subject: subject(), owner: crypto.randomUUID() }]);
      const [first, second] = own;
      expect(await store.ownedBy(owner, { limit: 2 })).toEqual([first, second]);
      expect(await store.ownedBy(owner, { limit: 2, after: second })).toEqual(own.slice(2));
      expect(await store.ownedBy(owner, { limit: 2, after: own[2] })).toEqual([]);
    });

    it("lists unlisted keys under an account, and takes none from another", async () => {
      const [owner, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const [a, b, c] = [subject("reporter"), subject("reporter"), subject("reporter")];
      await store.ensure([{ subject: a }, { subject: b, owner: other }, { subject: c }]);
      await store.own(owner, [a, b, subject("reporter")]);
      await store.own(owner, [a]);
      await store.own(other, [a]);
      await store.own(owner, []);
      expect(await store.ownedBy(owner)).toEqual([a]);
      expect(await store.ownedBy(other)).toEqual([b]);
      expect(await store.destroyOwnedBy(owner, LATER)).toBe(1);
      expect((await look(c))?.state).toBe("present");
    });

    it("unlists keys that are disowned, and leaves them as they are", async () => {
      const [owner, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const [a, b, c] = [subject("reporter"), subject("reporter"), subject("reporter")];
      await store.ensure([
        { subject: a, owner },
        { subject: b, owner: other },
      ]);
      await store.ensure([{ subject: c, owner }]);
      await store.disown(owner, [c, b]);
      expect(await store.ownedBy(owner)).toEqual([a]);
      await store.disown(owner, []);
      expect(await store.ownedBy(owner)).toEqual([a]);
      await store.disown(owner);
      expect(await store.ownedBy(owner)).toEqual([]);
      expect(await store.ownedBy(other)).toEqual([b]);
      expect(await store.destroyOwnedBy(owner, LATER)).toBe(0);
      expect((await look(a))?.state).toBe("present");
    });

    it("keeps one key for each name of a service key", async () => {
      const keys = await Promise.all([1, 2, 3].map(() => store.serviceKey("slugs")));
      expect(keys[0]).toHaveLength(32);
      expect(keys[1]).toEqual(keys[0]);
      expect(keys[2]).toEqual(keys[0]);
      expect(await store.serviceKey("blind-index")).not.toEqual(keys[0]);
    });

    it("adds a new key next to the previous one, and uses it from its start time", async () => {
      const live = await store.liveKey("links");
      const former = live.current();
      const { usedFrom, formerEnds } = await store.replaceServiceKey("links", 60_000);
      expect(formerEnds.getTime() - usedFrom.getTime()).toBe(SERVICE_KEYS.links);
      await vi.waitFor(() => expect(live.all()).toHaveLength(2), { timeout: 20_000 });
      const [first, next] = live.all() as [Buffer, Buffer];
      expect(first).toEqual(former);
      expect(next).not.toEqual(former);
      expect(live.current()).toEqual(former);
      try {
        vi.useFakeTimers({ toFake: ["Date"], now: usedFrom.getTime() + 1000 });
        expect(live.current()).toEqual(next);
        vi.setSystemTime(formerEnds.getTime() - 1000);
        expect(live.all()).toEqual([former, next]);
        vi.setSystemTime(formerEnds.getTime() + 1000);
        expect(live.all()).toEqual([next]);
      } finally {
        vi.useRealTimers();
      }
    });

    it("returns the public half of each token key, including previous ones", async () => {
      const verifier = await store.tokenVerifier();
      const signer = await store.liveKey("tokens");
      const kidOf = (seed: Buffer) => signingKey(seed).kid;
      const former = kidOf(signer.current());
      await store.replaceServiceKey("tokens", 0);
      await vi.waitFor(() => expect(kidOf(signer.current())).not.toBe(former), { timeout: 20_000 });
      const kids = [former, kidOf(signer.current())];
      for (const [index, seed] of signer.all().entries()) {
        expect(kidOf(seed)).toBe(kids[index]);
        const pem = (await verifier.publicKey(kidOf(seed))) ?? "";
        const message = Buffer.from("a message");
        const signature = sign(null, message, signingKey(seed).key);
        expect(verify(null, message, pem, signature)).toBe(true);
      }
      expect(await verifier.publicKey("of nobody")).toBeUndefined();
    });

    it("keeps every key, and every destruction, through a rotation of the master key", async () => {
      const [a, b] = [subject(), subject()];
      await store.ensure([{ subject: a }, { subject: b }]);
      await store.destroy([b], AT);
      const [before, service] = [await keyOf(a), await store.serviceKey("slugs")];
      const seen: number[] = [];
      const count = await store.rotate(randomBytes(32), (done) => seen.push(done));
      expect(count).toBeGreaterThanOrEqual(2);
      expect(seen.at(-1)).toBe(count);
      expect(await keyOf(a)).toEqual(before);
      expect(await look(b)).toEqual({ state: "destroyed", at: AT });
      expect(await store.serviceKey("slugs")).toEqual(service);
    });

    it("sweeps keys that seal nothing, and no others", async () => {
      const [used, unused, fresh, gone] = [subject(), subject(), subject(), subject()];
      await store.ensure([{ subject: used }, { subject: unused }, { subject: gone }]);
      await store.destroy([gone], AT);
      const inUse = async (asked: readonly string[]) =>
        new Set(asked.filter((of) => of !== unused && of !== fresh));
      await store.sweepUnused(new Date(Date.now() - 3_600_000), inUse);
      expect((await look(unused))?.state).toBe("present");

      const later = new Date(Date.now() + 60_000);
      expect(await store.sweepUnused(later, inUse)).toBe(1);
      expect(await look(unused)).toEqual({ state: "missing" });
      expect((await look(used))?.state).toBe("present");
      expect((await look(gone))?.state).toBe("destroyed");

      await store.ensure([{ subject: fresh }]);
      await store.sweepUnused(new Date(Date.now() - 3_600_000), inUse);
      expect((await look(fresh))?.state).toBe("present");
    });
  });
}
