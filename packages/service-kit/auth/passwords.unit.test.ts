import { describe, expect, it } from "vitest";
import { hashPassword, preparePasswords, verifyAgainstDummy, verifyPassword } from "./passwords.ts";

describe("passwords", () => {
  it("verify against their own hash only", async () => {
    const hash = await hashPassword("Correct horse 1");
    expect(await verifyPassword(hash, "Correct horse 1")).toBe(true);
    expect(await verifyPassword(hash, "correct horse 1")).toBe(false);
    expect(await verifyPassword(hash, "")).toBe(false);
    expect(await verifyPassword(await hashPassword("other"), "Correct horse 1")).toBe(false);
  });

  it("are hashed with argon2id, 19 MiB and 2 passes, each with a salt of its own", async () => {
    const [a, b] = [await hashPassword("x"), await hashPassword("x")];
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(a).not.toBe(b);
  });

  it("are the same however their accents are composed", async () => {
    const hash = await hashPassword("Zo\u00eb-123456");
    expect(await verifyPassword(hash, "Zoe\u0308-123456")).toBe(true);
  });

  it("of unknown accounts never match, and take as long as those of known ones", async () => {
    await preparePasswords();
    expect(await verifyPassword(undefined, "anything")).toBe(false);
    expect(await verifyAgainstDummy("anything")).toBe(false);
    const hash = await hashPassword("x");
    const fastest = async (work: () => Promise<unknown>) => {
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 8; i += 1) {
        const start = performance.now();
        await work();
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    const known = await fastest(() => verifyPassword(hash, "y"));
    const unknown = await fastest(() => verifyPassword(undefined, "y"));
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });
});
