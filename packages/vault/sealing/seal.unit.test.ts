import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventObject } from "#event-store/port.ts";
import { open, openColumn, SealBroken, type SealContext, seal, sealColumn } from "./seal.ts";

const key = randomBytes(32);
const context: SealContext = {
  eventId: "6f1c2d34-0000-4000-8000-000000000001",
  stream: "report-1",
  type: "ReportSubmitted",
  schemaVersion: 1,
  part: "personal",
  key: "personal-1",
};
const plain: EventObject = { name: "Zoë 😀 \u202eשלום", list: [1, true, { deep: "x" }] };

/** Any JSON that an event may hold. */
const json = fc.letrec<{ value: EventObject[string] }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.boolean(),
    fc.integer(),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      tie("value"),
      { noNullPrototype: true },
    ),
  ),
})).value;
const jsonObject = fc.dictionary(
  fc.string().filter((name) => name !== "__proto__"),
  json,
  { noNullPrototype: true },
);

describe("seal", () => {
  it("opens whatever was sealed", () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        expect(open(key, seal(key, value, context), context)).toEqual(value);
      }),
    );
  });

  it("hides the length of a name", () => {
    const length = (name: string) => seal(key, { set: { city: name } }, context).box.length;
    expect(new Set(["Ely", "Reno", "San Francisco", "Zoë 😀"].map(length)).size).toBe(1);
    expect(length("x".repeat(100))).toBeGreaterThan(length("x"));
  });

  it("reveals nothing of what it holds and never returns the same box twice", () => {
    const [a, b] = [seal(key, plain, context), seal(key, plain, context)];
    expect(a.key).toBe("personal-1");
    expect(a.box).not.toBe(b.box);
    expect(Buffer.from(a.box, "base64url").toString("latin1")).not.toContain("deep");
  });

  it("never uses a nonce twice with a key, however many boxes there are", () => {
    const nonces = Array.from({ length: 1000 }, () =>
      Buffer.from(seal(key, {}, context).box, "base64url").toString("hex", 0, 12),
    );
    expect(new Set(nonces).size).toBe(1000);
    expect(nonces.every((nonce) => nonce.length === 24 && !/^0+$/.test(nonce))).toBe(true);
  });

  it.each([
    ["event", { eventId: "6f1c2d34-0000-4000-8000-000000000002" }],
    ["stream", { stream: "report-2" }],
    ["type", { type: "ReportEdited" }],
    ["version", { schemaVersion: 2 }],
    ["part", { part: "reporter" }],
  ])("does not open in another %s", (_what, change) => {
    const sealed = seal(key, plain, context);
    expect(() => open(key, sealed, { ...context, ...change })).toThrow(SealBroken);
  });

  it("does not open under another key or another key's name", () => {
    const sealed = seal(key, plain, context);
    expect(() => open(randomBytes(32), sealed, context)).toThrow(SealBroken);
    expect(() => open(key, { ...sealed, key: "personal-2" }, context)).toThrow(SealBroken);
  });

  it("does not open with any bit changed", () => {
    const sealed = seal(key, plain, context);
    const bytes = Buffer.from(sealed.box, "base64url");
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
        const box = damaged.toString("base64url");
        expect(() => open(key, { ...sealed, box }, context)).toThrow(SealBroken);
      }),
    );
  });

  it("has one encoding: padding, other alphabets and spare bits are rejected", () => {
    const sealed = seal(key, plain, context);
    for (const box of [
      "",
      "AAAA",
      `${sealed.box}=`,
      ` ${sealed.box}`,
      Buffer.from(sealed.box, "base64url").toString("base64"),
    ].filter((box) => box !== sealed.box))
      expect(() => open(key, { ...sealed, box }, context)).toThrow(SealBroken);
  });
});

describe("sealColumn", () => {
  const cell = { table: "command.account", column: "email", rowId: "1", key: "account-1" };

  it("opens any value in its own cell and in no other", () => {
    fc.assert(
      fc.property(json, (value) => {
        const sealed = sealColumn(key, value, cell);
        expect(openColumn(key, sealed, cell)).toEqual(value);
      }),
    );
    const sealed = sealColumn(key, "dana@example.com", cell);
    for (const change of [{ table: "command.other" }, { column: "phone" }, { rowId: "2" }])
      expect(() => openColumn(key, sealed, { ...cell, ...change })).toThrow(SealBroken);
  });

  it("cannot be passed off as a part of an event", () => {
    const sealed = sealColumn(key, plain, { ...cell, key: context.key });
    expect(() => open(key, sealed, context)).toThrow(SealBroken);
  });
});
