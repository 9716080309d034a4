import { describe, expect, it } from "vitest";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import type { EventObject, StoredEvent } from "#event-store/port.ts";
import { expiryOf } from "./report.expiry.ts";

const DAY_MS = 24 * 3_600_000;
const day = (n: number) => Date.UTC(2026, 0, 1) + n * DAY_MS;
type Event = Pick<StoredEvent, "type" | "data" | "metadata">;

function on(n: number, type: string, data: EventObject = {}, origin = "live"): Event {
  const metadata = { time: new Date(day(n)).toISOString(), origin };
  return { type, data, metadata: metadata as StoredEvent["metadata"] };
}
const undoing = (revision: number) => ({ undoes: { revision } });
const submitted = on(0, "ReportSubmitted");
const rejected = on(5, "ReportRejected");
const hidden = on(1, "ReportDeleted", { erase_at: new Date(day(3)).toISOString() });
const end = (...events: Event[]) => endOf(RETENTION_DAYS, events);
const endOf = (days: Parameters<typeof expiryOf>[1], events: Event[]) => {
  const expiry = expiryOf(events, days);
  return expiry && [expiry.cause, (expiry.atMs - day(0)) / DAY_MS];
};

describe("when a report expires", () => {
  it.each<[string, Event[], [string, number] | undefined]>([
    ["no one confirmed it", [submitted], ["unconfirmed", 30]],
    ["a link confirmed it", [submitted, on(1, "ReportVerifiedByLink")], undefined],
    ["a moderator vouched for it", [submitted, on(1, "ReportVerifiedByHand")], undefined],
    ["its account had", [submitted, on(0, "ReportVerifiedByAccount")], undefined],
    [
      "the confirmation was withdrawn",
      [submitted, on(1, "ReportVerifiedByHand"), on(9, "ReportVerificationWithdrawn")],
      ["unconfirmed", 39],
    ],
    [
      "the reporter corrected the address",
      [submitted, on(4, "ReporterAddressCorrected")],
      ["unconfirmed", 34],
    ],
    [
      "a moderator changed the address",
      [submitted, on(4, "ReportEdited", { fields: ["reporter_email"] })],
      ["unconfirmed", 34],
    ],
    [
      "a moderator changed something else",
      [submitted, on(4, "ReportEdited", { fields: ["title"] })],
      ["unconfirmed", 30],
    ],
    [
      "another link was emailed",
      [submitted, on(9, "ReportVerificationResent")],
      ["unconfirmed", 30],
    ],
    [
      "it is under review",
      [submitted, on(1, "ReportStatusSet", { to: "under_review" })],
      undefined,
    ],
    [
      "it is pending again",
      [submitted, rejected, on(8, "ReportStatusSet", { to: "pending" })],
      ["unconfirmed", 38],
    ],
    ["it is approved, unconfirmed", [submitted, on(1, "ReportApproved")], undefined],
    ["it was rejected", [submitted, rejected], ["rejected", 370]],
    [
      "it was confirmed and rejected",
      [submitted, on(1, "ReportVerifiedByLink"), rejected],
      ["rejected", 370],
    ],
    [
      "it was rejected and then edited",
      [submitted, rejected, on(9, "ReportEdited", { fields: ["reporter_email"] })],
      ["rejected", 370],
    ],
    [
      "it was rejected, approved and rejected again",
      [submitted, rejected, on(6, "ReportApproved"), on(7, "ReportRejected")],
      ["rejected", 372],
    ],
    [
      "its approval by mistake was undone",
      [submitted, rejected, on(9, "ReportApproved"), on(9, "ReportRejected", undoing(2))],
      ["rejected", 370],
    ],
    [
      "its rejection by mistake was undone",
      [
        submitted,
        on(9, "ReportRejected"),
        on(9, "ReportStatusSet", { to: "pending", ...undoing(1) }),
      ],
      ["unconfirmed", 30],
    ],
    ["it was rejected, then approved", [submitted, rejected, on(6, "ReportApproved")], undefined],
    ["it is deleted, until it is erased", [submitted, hidden], ["deleted", 3]],
    [
      "its deletion is undone",
      [submitted, hidden, on(2, "ReportDeletionUndone")],
      ["unconfirmed", 30],
    ],
    ["it is erased", [submitted, hidden, on(3, "ReportErased")], undefined],
    ["it is a sample", [on(0, "ReportSubmitted", {}, "sample"), rejected], undefined],
  ])("%s", (_, events, expected) => {
    expect(end(...events)).toEqual(expected);
  });

  it("is sooner if admins have shortened the retention", () => {
    const days = { unconfirmed_report: 7, rejected_report: 90 };
    expect(endOf(days, [submitted])).toEqual(["unconfirmed", 7]);
    expect(endOf(days, [submitted, rejected])).toEqual(["rejected", 95]);
  });
});
