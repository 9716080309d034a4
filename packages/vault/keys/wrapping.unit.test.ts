import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyBroken } from "./key-store.ts";
import {
  makeCheck,
  opensCheck,
  parseMasterKey,
  unwrapKey,
  type WrapContext,
  wrapKey,
} from "./master-ring.ts";

const master = randomBytes(32);
const key = randomBytes(32);
const context: WrapContext = { kind: "subject", name: "personal-1", version: 1 };

describe("wrapping", () => {
  it("opens only for the subject, kind and version that it was made for", () => {
    const wrapped = wrapKey(master, key, context);
    expect(unwrapKey(master, wrapped, context)).toEqual(key);
    for (const other of [
      { ...context, name: "personal-2" },
      { ...context, version: 2 },
      { ...context, kind: "service" as const },
    ])
      expect(() => unwrapKey(master, wrapped, other)).toThrow(KeyBroken);
    expect(() => unwrapKey(randomBytes(32), wrapped, context)).toThrow(KeyBroken);
  });

  it("rejects a box with any bit or its length changed", () => {
    const wrapped = wrapKey(master, key, context);
    fc.assert(
      fc.property(fc.nat(wrapped.length * 8 - 1), (bit) => {
        const damaged = Buffer.from(wrapped);
        damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(() => unwrapKey(master, damaged, context)).toThrow(KeyBroken);
      }),
    );
    fc.assert(
      fc.property(fc.nat(wrapped.length - 1), (length) => {
        expect(() => unwrapKey(master, wrapped.subarray(0, length), context)).toThrow(KeyBroken);
      }),
    );
  });

  it("recognizes the master key of a version", () => {
    const check = makeCheck(master, 3);
    expect(opensCheck(master, check, 3)).toBe(true);
    expect(opensCheck(master, check, 4)).toBe(false);
    expect(opensCheck(randomBytes(32), check, 3)).toBe(false);
  });
});

describe("parseMasterKey", () => {
  it("reads hex, base64 and base64url", () => {
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(parseMasterKey(` ${master.toString(encoding)}\n`)).toEqual(master);
  });

  it("rejects everything else without repeating it", () => {
    for (const text of ["", "secret", master.toString("hex").slice(1), "z".repeat(64)])
      expect(() => parseMasterKey(text)).toThrow(/^a master key is 32 bytes, [^z]*$/);
  });
});
