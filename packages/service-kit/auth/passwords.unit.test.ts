import { verify } from "@node-rs/argon2";
import { describe, expect, it, vi } from "vitest";
import { hashPassword, preparePasswords, verifyAgainstDummy, verifyPassword } from "./passwords.ts";

vi.mock("@node-rs/argon2", async (load) => {
  const library = await load<typeof import("@node-rs/argon2")>();
  return { ...library, verify: vi.fn(library.verify) };
});

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

  it("of unknown accounts never match, and cost the same work as those of known ones", async () => {
    await preparePasswords();
    const hash = await hashPassword("x");
    const compared = async (work: () => Promise<boolean>) => {
      vi.mocked(verify).mockClear();
      expect(await work()).toBe(false);
      // The parameters, without salt and hash, say how much work it is.
      return vi.mocked(verify).mock.calls.map(([phc]) => String(phc).split("$").slice(0, 4));
    };
    const known = await compared(() => verifyPassword(hash, "y"));
    expect(known).toHaveLength(1);
    expect(await compared(() => verifyPassword(undefined, "y"))).toEqual(known);
    expect(await compared(() => verifyAgainstDummy("y"))).toEqual(known);
  });
});
