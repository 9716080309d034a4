import { verify } from "@node-rs/argon2";
import { describe, expect, it, vi } from "vitest";
import {
  type Comparing,
  hashPassword,
  MAX_CONCURRENT_HASHES,
  MAX_QUEUED_FROM_UNKNOWN_DEVICES,
  MAX_QUEUED_HASHES,
  preparePasswords,
  verifyAgainstDummy,
  verifyPassword,
} from "./passwords.ts";

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

  it("are hashed with argon2id, 19 MiB and 2 passes, and a unique salt", async () => {
    const [a, b] = [await hashPassword("x"), await hashPassword("x")];
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(a).not.toBe(b);
    await preparePasswords({ memoryCost: 8, timeCost: 1 });
    expect(await hashPassword("x")).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    await preparePasswords();
    expect(await hashPassword("x")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("match however their accents are composed", async () => {
    const hash = await hashPassword("Zo\u00eb-123456");
    expect(await verifyPassword(hash, "Zoe\u0308-123456")).toBe(true);
  });

  it("of unknown accounts never match, and take the same work as those of known ones", async () => {
    await preparePasswords();
    const hash = await hashPassword("x");
    const compared = async (work: () => Promise<boolean>) => {
      vi.mocked(verify).mockClear();
      expect(await work()).toBe(false);
      // The parameters, without salt and hash, determine the cost.
      return vi.mocked(verify).mock.calls.map(([phc]) => String(phc).split("$").slice(0, 4));
    };
    const known = await compared(() => verifyPassword(hash, "y"));
    expect(known).toHaveLength(1);
    expect(await compared(() => verifyPassword(undefined, "y"))).toEqual(known);
    expect(await compared(() => verifyAgainstDummy("y"))).toEqual(known);
  });

  it("are compared four at a time, with 24 waiting from unknown devices and 8 from known ones", async () => {
    await preparePasswords();
    const hash = await hashPassword("x");
    const gate = Promise.withResolvers<boolean>();
    let running = 0;
    let most = 0;
    vi.mocked(verify).mockClear();
    vi.mocked(verify).mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      const isRight = await gate.promise;
      running -= 1;
      return isRight;
    });
    // Half are for known accounts and half for unknown ones. Both wait in the same queue.
    const of = (count: number, by: Comparing) =>
      Array.from({ length: count }, (_, n) => verifyPassword(n % 2 ? hash : undefined, "x", by));
    const strangers = Promise.allSettled(of(32, "stranger"));
    await vi.waitFor(() => expect(running).toBe(MAX_CONCURRENT_HASHES));
    const known = Promise.allSettled(of(10, "known"));
    // An unknown address joins the queue one tick later.
    await Promise.resolve();
    await expect(hashPassword("x")).rejects.toMatchObject({ code: "unavailable" });
    gate.resolve(true);
    const refused = async (settled: typeof strangers) =>
      (await settled).filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    expect(await refused(strangers)).toHaveLength(
      32 - MAX_CONCURRENT_HASHES - MAX_QUEUED_FROM_UNKNOWN_DEVICES,
    );
    expect(await refused(known)).toHaveLength(
      10 - (MAX_QUEUED_HASHES - MAX_QUEUED_FROM_UNKNOWN_DEVICES),
    );
    for (const { reason } of [...(await refused(strangers)), ...(await refused(known))])
      expect(reason).toMatchObject({ code: "unavailable" });
    expect([
      most,
      MAX_CONCURRENT_HASHES,
      MAX_QUEUED_HASHES,
      MAX_QUEUED_FROM_UNKNOWN_DEVICES,
    ]).toEqual([4, 4, 32, 24]);
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(36);
    vi.mocked(verify).mockRestore();
    expect(await verifyPassword(hash, "x")).toBe(true);
  });
});
