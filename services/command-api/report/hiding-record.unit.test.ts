import { expect, it } from "vitest";
import type { StoredEvent } from "#event-store/port.ts";
import type { Erasure, Hiding } from "#vault/erasures/erasure-ledger.ts";
import { HidingRecord } from "./hiding-record.ts";

const at = (second: number) => `2026-11-23T10:20:${10 + second}.000Z`;
const ERASE_AT = "2026-11-30T10:20:30.000Z";

const event = (stream: string, type: string, second: number, data: object = {}) =>
  ({ stream, type, data, metadata: { time: at(second) } }) as unknown as StoredEvent;

/** What is added to a ledger that already has the lines in `known`. */
async function added(events: readonly StoredEvent[], known: readonly Hiding[] = []) {
  const lines: (Erasure | Hiding)[] = [];
  const record = new HidingRecord({
    record: async (more) => void lines.push(...more),
    hidings: async () => new Map(known.map((hiding) => [hiding.hidden, hiding])),
  });
  await record.complete(events);
  return lines;
}

it("adds what a dead process didn't write, for reports and for accounts awaiting deletion", async () => {
  const events = [
    event("report-1", "ReportDeleted", 1, { erase_at: ERASE_AT }),
    event("report-2", "ReportDeleted", 1, { erase_at: ERASE_AT }),
    event("report-2", "ReportDeletionUndone", 2),
    event("user-1", "AccountClosed", 1, { by: "owner", erase_at: ERASE_AT }),
    event("user-2", "AccountClosed", 1, { by: "owner", erase_at: ERASE_AT }),
    event("user-2", "AccountReopened", 2, { by: "owner" }),
    event("user-3", "AccountClosed", 1, { by: "owner", erase_at: ERASE_AT }),
    event("user-3", "EmailChangeUndone", 2),
    event("user-4", "AccountClosed", 1, { by: "admin", erase_at: ERASE_AT }),
    event("user-5", "AccountClosed", 1, { by: "admin" }),
  ];
  expect(await added(events)).toEqual([
    { hidden: "report-1", erase_at: ERASE_AT, at: at(1) },
    { hidden: "report-2", erase_at: null, at: at(2) },
    { hidden: "user-1", erase_at: ERASE_AT, at: at(1) },
    { hidden: "user-2", erase_at: null, at: at(2) },
    { hidden: "user-3", erase_at: null, at: at(2) },
    { hidden: "user-4", erase_at: ERASE_AT, by_staff: true, at: at(1) },
    { hidden: "user-5", erase_at: null, at: at(1) },
  ]);
});

it("adds nothing that the ledger already has or has newer", async () => {
  const events = [
    event("user-1", "AccountClosed", 1, { by: "owner", erase_at: ERASE_AT }),
    event("user-2", "AccountClosed", 1, { by: "owner", erase_at: ERASE_AT }),
  ];
  const known = [
    { hidden: "user-1", erase_at: ERASE_AT, at: at(1) },
    { hidden: "user-2", erase_at: null, at: at(2) },
  ];
  expect(await added(events, known)).toEqual([]);
});

it("adds events newer than the ledger's line", async () => {
  const events = [event("report-1", "ReportDeleted", 2, { erase_at: ERASE_AT })];
  const known = [{ hidden: "report-1", erase_at: null, at: at(1) }];
  expect(await added(events, known)).toEqual([
    { hidden: "report-1", erase_at: ERASE_AT, at: at(2) },
  ]);
});
