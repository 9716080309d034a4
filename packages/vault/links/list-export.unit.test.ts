import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { fixedKey } from "../keys/key-store.ts";
import { listExportSeals } from "./list-export.ts";

const seals = listExportSeals(fixedKey(randomBytes(32)));
const count = {
  accountId: "11111111-1111-4111-8111-111111111111",
  list: "reports",
  filter: { q: "canary@example.net" },
  rows: 3,
  expiresAt: "2026-11-23T10:05:00.000Z",
};
const ticket = { ...count, exportId: count.accountId, format: "csv" };
const now = "2026-11-23T10:00:00.000Z";

it("opens what was sealed, until it expires", () => {
  expect(seals.count.open(seals.count.seal(count), now)).toEqual(count);
  expect(seals.ticket.open(seals.ticket.seal(ticket), now)).toEqual(ticket);
  expect(seals.count.open(seals.count.seal(count), count.expiresAt)).toBeUndefined();
  expect(seals.ticket.open(seals.ticket.seal(ticket), count.expiresAt)).toBeUndefined();
});

it("rejects a count as a ticket, and anything that was changed or sealed with another key", () => {
  expect(seals.ticket.open(seals.count.seal(count), now)).toBeUndefined();
  expect(seals.count.open(seals.ticket.seal(ticket), now)).toBeUndefined();
  const text = seals.ticket.seal(ticket);
  const changed = `${text.slice(0, 40)}${text[40] === "A" ? "B" : "A"}${text.slice(41)}`;
  expect(seals.ticket.open(changed, now)).toBeUndefined();
  expect(seals.ticket.open("", now)).toBeUndefined();
  const other = listExportSeals(fixedKey(randomBytes(32)));
  expect(other.ticket.open(text, now)).toBeUndefined();
});

it("reveals nothing of the filter to its bearer", () => {
  const text = seals.count.seal(count);
  expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("canary");
});
