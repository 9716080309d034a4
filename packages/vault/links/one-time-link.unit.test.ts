import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedKey } from "../keys/key-store.ts";
import { createOneTimeLinks } from "./one-time-link.ts";

const links = createOneTimeLinks(fixedKey(randomBytes(32)));
const content = {
  aggregateId: "6f1c2d34-1111-4222-8333-444455556666",
  linkId: "00000000-0000-4000-8000-00000000000a",
  expiresAt: "2026-11-04T10:00:00.000Z",
};
const before = "2026-11-04T09:59:59.999Z";
const token = links.makeToken("verify-email", content);

describe("one-time links", () => {
  it("decode to what they were made of, until they expire", () => {
    expect(links.readToken(token, "verify-email", before)).toEqual(content);
    expect(links.readToken(token, "verify-email", new Date(before))).toEqual(content);
    expect(links.readToken(token, "verify-email", content.expiresAt)).toBe("expired");
  });

  it("decode any ids and times", () => {
    const time = fc.date({
      min: new Date("2020-01-01"),
      max: new Date("2500-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), time, (aggregateId, linkId, expires) => {
        const any = { aggregateId, linkId, expiresAt: expires.toISOString() };
        const made = links.makeToken("reset-password", any);
        expect(links.readToken(made, "reset-password", "2019-01-01T00:00:00.000Z")).toEqual(any);
      }),
    );
  });

  it("are the same each time, so that a resent email has the same link", () => {
    expect(links.makeToken("verify-email", content)).toBe(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]{96}$/);
  });

  it("are rejected as forged for another purpose and under another key", () => {
    expect(links.readToken(token, "reset-password", before)).toBe("forged");
    const others = createOneTimeLinks(fixedKey(randomBytes(32)));
    expect(others.readToken(token, "verify-email", before)).toBe("forged");
  });

  it("are rejected as forged with any bit changed, even when expired", () => {
    const bytes = Buffer.from(token, "base64url");
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const made = changed.toString("base64url");
        expect(links.readToken(made, "verify-email", content.expiresAt)).toBe("forged");
      }),
    );
  });

  it("are rejected as malformed in any other encoding", () => {
    const spellings = [
      "",
      "x",
      `${token}A`,
      token.slice(1),
      ` ${token}`,
      `${token}=`,
      `${token}\n`,
    ];
    for (const text of [...spellings, `${token.slice(0, -1)}+`, `${token.slice(0, -1)}/`])
      expect(links.readToken(text, "verify-email", before)).toBe("malformed");
  });

  it("reject IDs that are not UUIDs", () => {
    const bad = { ...content, linkId: "1" };
    expect(() => links.makeToken("verify-email", bad)).toThrow(TypeError);
  });
});
