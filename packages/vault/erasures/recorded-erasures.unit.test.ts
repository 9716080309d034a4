import { describe, expect, it } from "vitest";
import { keyStoreContract } from "../keys/contract-suite.ts";
import type { KeyStore } from "../keys/key-store.ts";
import { createMemoryKeyStore } from "../testing/memory-key-store.ts";
import { type Erasure, LedgerUnavailable, recordErasures } from "./erasure-ledger.ts";

const AT = "2026-11-02T10:20:30.456Z";
const LATER = "2027-01-01T00:00:00.000Z";

keyStoreContract("memory, with a ledger", async () =>
  recordErasures(createMemoryKeyStore(), { record: async () => undefined }),
);

/** Returns a key store whose ledger is a list that holds the state of each key at the time of recording. */
function recorded() {
  const inner = createMemoryKeyStore();
  const lines: (Erasure & { state: string | undefined })[] = [];
  const record = async (erasures: readonly Erasure[]) => {
    for (const erasure of erasures) {
      const { subject } = erasure;
      lines.push({ ...erasure, state: (await inner.get([subject])).get(subject)?.state });
    }
  };
  return { inner, lines, keys: recordErasures(inner, { record }) };
}

const ensure = (keys: KeyStore, owner: string, ...subjects: string[]) =>
  keys.ensure(subjects.map((subject) => ({ subject, owner })));

describe("a key store with a ledger of erasures", () => {
  it("records each key once before it is destroyed, including keys that never existed", async () => {
    const { keys, lines } = recorded();
    await ensure(keys, "ann", "personal-1", "reporter-1");
    await keys.destroy(["personal-1", "reporter-1", "personal-1", "file-9"], AT);
    await keys.destroy(["personal-1", "reporter-1"], LATER);
    expect(lines).toEqual([
      { subject: "personal-1", at: AT, state: "present" },
      { subject: "reporter-1", at: AT, state: "present" },
      { subject: "file-9", at: AT, state: "missing" },
    ]);
  });

  it("records each key that an account owned", async () => {
    const { keys, lines } = recorded();
    await ensure(keys, "ann", "reporter-1", "reporter-2");
    await ensure(keys, "bob", "reporter-3");
    expect(await keys.destroyOwnedBy("ann", AT)).toBe(2);
    expect(lines.map(({ subject }) => subject)).toEqual(["reporter-1", "reporter-2"]);
    expect((await keys.get(["reporter-3"])).get("reporter-3")?.state).toBe("present");
  });

  it("destroys nothing while the ledger cannot be written", async () => {
    const inner = createMemoryKeyStore();
    const record = () => Promise.reject(new LedgerUnavailable("full"));
    const keys = recordErasures(inner, { record });
    await ensure(keys, "ann", "reporter-1");
    await expect(keys.destroy(["reporter-1"], AT)).rejects.toThrow(LedgerUnavailable);
    await expect(keys.destroyOwnedBy("ann", AT)).rejects.toThrow(LedgerUnavailable);
    expect((await inner.get(["reporter-1"])).get("reporter-1")?.state).toBe("present");
  });
});
