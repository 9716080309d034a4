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
  expect(seals.openCount(seals.sealCount(count), now)).toEqual(count);
  expect(seals.openTicket(seals.sealTicket(ticket), now)).toEqual(ticket);
  expect(seals.openCount(seals.sealCount(count), count.expiresAt)).toBeUndefined();
  expect(seals.openTicket(seals.sealTicket(ticket), count.expiresAt)).toBeUndefined();
});

it("takes no count for a ticket, and nothing that was changed or sealed elsewhere", () => {
  expect(seals.openTicket(seals.sealCount(count), now)).toBeUndefined();
  expect(seals.openCount(seals.sealTicket(ticket), now)).toBeUndefined();
  const text = seals.sealTicket(ticket);
  const changed = `${text.slice(0, 40)}${text[40] === "A" ? "B" : "A"}${text.slice(41)}`;
  expect(seals.openTicket(changed, now)).toBeUndefined();
  expect(seals.openTicket("", now)).toBeUndefined();
  const other = listExportSeals(fixedKey(randomBytes(32)));
  expect(other.openTicket(text, now)).toBeUndefined();
});

it("tells its bearer nothing of the filter", () => {
  const text = seals.sealCount(count);
  expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("canary");
});
