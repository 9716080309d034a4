import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { fixedKey } from "../keys/key-store.ts";
import { createBlindIndexer } from "../sealing/hashes.ts";
import { createUnsubscribeLinks } from "./one-time-link.ts";

const AT = "2026-11-22T10:00:00.000Z";
const blind = createBlindIndexer(randomBytes(32));
const links = createUnsubscribeLinks(fixedKey(randomBytes(32)), blind);
const id = randomUUID();
const token = links.makeToken("report", id, "Rae@shop.example ", AT);

it("unsubscribe links contain no address, and are valid for one address", () => {
  const link = links.readToken(token, AT);
  expect(link).toMatchObject({ scope: "report", id });
  expect(link?.isFor("rae@shop.example")).toBe(true);
  expect(link?.isFor("ray@shop.example")).toBe(false);
  expect(Buffer.from(token, "base64url").toString("latin1")).not.toMatch(/rae|shop/i);
  const other = links.makeToken("report", randomUUID(), "rae@shop.example", AT);
  const marks = [token, other].map((made) => Buffer.from(made, "base64url").subarray(16, 32));
  expect(marks[0]).not.toEqual(marks[1]);
});

it("unsubscribe links work for a year, and are the same each time", () => {
  expect(links.makeToken("report", id, "rae@shop.example", AT)).toBe(token);
  expect(links.readToken(token, "2027-11-22T09:59:59.999Z")).toBeDefined();
  expect(links.readToken(token, "2027-11-22T10:00:00.000Z")).toBeUndefined();
});

it("unsubscribe links cannot be forged, nor changed into others", () => {
  const others = createUnsubscribeLinks(fixedKey(randomBytes(32)), blind);
  expect(others.readToken(token, AT)).toBeUndefined();
  const bytes = Buffer.from(token, "base64url");
  for (const place of [0, 16, 32, 40, 71]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(links.readToken(changed.toString("base64url"), AT)).toBeUndefined();
  }
  const decisions = links.makeToken("decisions", id, "rae@shop.example", AT);
  expect(links.readToken(decisions, AT)?.scope).toBe("decisions");
});
