import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { fixedKey } from "../keys/key-store.ts";
import { createBlindIndexer } from "../sealing/hashes.ts";
import { createReportLinks, createUnsubscribeLinks } from "./one-time-link.ts";

const AT = "2026-11-23T10:00:00.000Z";
const key = fixedKey(randomBytes(32));
const blind = createBlindIndexer(randomBytes(32));
const links = createReportLinks(key, blind);
const id = randomUUID();
const token = links.statusToken(id, "Rae@shop.example ", AT);

it("a progress link contains no address, and is valid for one address", () => {
  const link = links.readStatusToken(token, AT);
  expect(link?.id).toBe(id);
  expect(link?.isFor("rae@shop.example")).toBe(true);
  expect(link?.isFor("ray@shop.example")).toBe(false);
  expect(Buffer.from(token, "base64url").toString("latin1")).not.toMatch(/rae|shop/i);
});

it("a progress link works for a year, and is the same each time", () => {
  expect(links.statusToken(id, "rae@shop.example", AT)).toBe(token);
  expect(links.readStatusToken(token, "2027-11-23T09:59:59.999Z")).toBeDefined();
  expect(links.readStatusToken(token, "2027-11-23T10:00:00.000Z")).toBeUndefined();
});

it("a progress link cannot be forged or changed, and does not work as an unsubscribe link, or vice versa", () => {
  const others = createReportLinks(fixedKey(randomBytes(32)), blind);
  expect(others.readStatusToken(token, AT)).toBeUndefined();
  const bytes = Buffer.from(token, "base64url");
  for (const place of [0, 16, 32, 40, 71]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(links.readStatusToken(changed.toString("base64url"), AT)).toBeUndefined();
  }
  const unsubscribing = createUnsubscribeLinks(key, blind);
  expect(unsubscribing.readToken(token, AT)).toBeUndefined();
  const other = unsubscribing.makeToken("report", id, "rae@shop.example", AT);
  expect(links.readStatusToken(other, AT)).toBeUndefined();
});

it("an answer link names inquiry and answer, expires with the answer, and cannot answer a question", () => {
  const link = { link_id: randomUUID(), expires_at: "2026-12-23T10:00:00.000Z" };
  const made = links.answerToken(id, link);
  expect(links.readAnswerToken(made, AT)).toEqual({ id, answerId: link.link_id });
  expect(links.readAnswerToken(made, link.expires_at)).toBeUndefined();
  expect(links.readQuestionToken(made, AT)).toBeUndefined();
  expect(links.readAnswerToken(links.questionToken(id, link), AT)).toBeUndefined();
});
