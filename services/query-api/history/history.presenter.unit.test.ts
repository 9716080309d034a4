import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { reportFields } from "#contracts/report/fields.ts";
import type { StoredEvent } from "#event-store/port.ts";
import {
  changesOf,
  type HistoryReader,
  isErased,
  presentHistory,
  presentReportAt,
  type ReplayedEvent,
  type ReplayStep,
  replay,
} from "./history.routes.ts";

const REPORT_ID = "0b54e9a2-7a0c-4f0e-9d4e-5d5a1f1f0001";
const link = {
  link_id: "0b54e9a2-7a0c-4f0e-9d4e-5d5a1f1f0002",
  expires_at: "2026-11-23T10:00:00.000Z",
};

const submitted: ReportEvent = {
  type: "ReportSubmitted",
  data: {
    report_type: "chargeback",
    terms_version: "2026-11-21",
    link,
    report: {
      currency: "USD",
      amount_cents: 41_250,
      chargeback_fee_cents: 1500,
      transaction_date: "2026-05-02",
      chargeback_reason: "fraudulent",
      shipping_status: "shipped",
      resolution_status: "unresolved",
      chargebacks: [{ amount_cents: 1000, other_fees_cents: 50 }],
    },
    personal: {
      blind: {},
      report: {
        first_name: "Quinn",
        last_name: "Ames",
        title: "Chargeback after delivery",
        description: "Took the goods, then the money.",
        email: "quinn.ames@example.net",
        phone: "+1 303 555 0142",
        street_address: "12 Kept Back Street",
        city: "Denver",
        state: "CO",
        zip: "80202",
        country: "US",
        last_4: "1234",
        notes: "kept-back-note",
        chargebacks: [
          { order_id: "kept-back-order", notes: "kept-back-item-note", last_4: "9876" },
        ],
      },
    },
    reporter: {
      report: {
        reporter_first_name: "Riley",
        reporter_last_name: "Reporter",
        reporter_email: "riley@shop.example",
      },
      blind: { email: "keyed hash" },
    },
  },
};

function edited(
  fields: string[],
  personal: object,
  clear: { set?: object; cleared?: string[] } = {},
): ReportEvent {
  return {
    type: "ReportEdited",
    data: {
      fields,
      set: clear.set ?? {},
      cleared: clear.cleared ?? [],
      personal: { set: personal, cleared: [] },
    },
  } as ReportEvent;
}

function stream(...events: ReportEvent[]): ReplayedEvent[] {
  return events.map((event, revision) => ({
    event,
    stored: {
      id: `event-${revision}`,
      stream: `report-${REPORT_ID}`,
      revision,
      position: String(revision + 1).padStart(20, "0"),
      type: event.type,
      data: {},
      metadata: {
        actor: { id: "visitor", role: "visitor" },
        origin: "live",
        command: "SomeCommand",
        commandId: "c".repeat(64),
        correlationId: "r",
        causationId: "r",
        schemaVersion: 1,
        time: `2026-11-21T10:00:0${revision}.000Z`,
        hash: `${revision}`.repeat(64),
      },
    } satisfies StoredEvent,
  }));
}

const actorOf = (stored: StoredEvent) => ({ actor: { ...stored.metadata.actor } });

function lastChanges(reader: HistoryReader, ...events: ReportEvent[]) {
  const step = replay(stream(...events)).at(-1);
  if (!step) throw new Error("no events");
  return changesOf(step, reader);
}

describe("the change made by an event", () => {
  it("lists every given field of a submission, money as decimals, hidden values marked", () => {
    const changes = lastChanges("moderator", submitted);
    const by = Object.fromEntries(changes.map((change) => [change.field, change]));
    expect(changes[0]).toEqual({ field: "status", to: "pending" });
    expect(by.amount).toEqual({ field: "amount", to: 412.5 });
    expect(by.first_name).toEqual({ field: "first_name", to: "Quinn" });
    expect(by.email).toEqual({ field: "email", to: "q***@***" });
    expect(by.notes).toEqual({ field: "notes", hidden: true });
    expect(by.zip).toEqual({ field: "zip", hidden: true });
    expect(by.chargebacks).toEqual({
      field: "chargebacks",
      to: [{ amount: 10, other_fees: 0.5, last_4: "9876", total_due: 10.5 }],
    });
    expect(by).not.toHaveProperty("middle_initial");
    expect(by).not.toHaveProperty("total_due");
  });

  it("shows from and to of an edited amount and nothing else", () => {
    const change = edited(["amount"], {}, { set: { amount_cents: 48_000 } });
    expect(lastChanges("auditor", submitted, change)).toEqual([
      { field: "amount", from: 412.5, to: 480 },
    ]);
  });

  it("omits `to` if a field was cleared", () => {
    const change = edited(["chargeback_fee"], {}, { cleared: ["chargeback_fee_cents"] });
    expect(lastChanges("auditor", submitted, change)).toEqual([
      { field: "chargeback_fee", from: 15 },
    ]);
  });

  it("reports that a hidden value changed, without the value", () => {
    const change = edited(["notes"], { notes: "kept-back-note-2" });
    expect(lastChanges("moderator", submitted, change)).toEqual([{ field: "notes", hidden: true }]);
  });

  it("hides a change that the mask doesn't reveal", () => {
    const change = edited(["phone"], { phone: "+1 720 555 0942" });
    expect(lastChanges("moderator", submitted, change)).toEqual([{ field: "phone", hidden: true }]);
  });

  it("hides a change in the hidden part of an additional chargeback", () => {
    const change = edited(["chargebacks"], {
      chargebacks: [{ order_id: "kept-back-order-2", last_4: "9876" }],
    });
    expect(lastChanges("auditor", submitted, change)).toEqual([
      { field: "chargebacks", hidden: true },
    ]);
  });

  it("describes changes of status and verification", () => {
    expect(lastChanges("auditor", submitted, { type: "ReportVerifiedByHand", data: {} })).toEqual([
      { field: "verified", from: false, to: true },
    ]);
    expect(
      lastChanges("auditor", submitted, {
        type: "ReportApproved",
        data: { from: "pending", verified: false },
      }),
    ).toEqual([{ field: "status", from: "pending", to: "approved" }]);
  });

  it("is empty for an event without a visible change", () => {
    expect(
      lastChanges("auditor", submitted, {
        type: "ReportVerificationResent",
        data: { link },
      }),
    ).toEqual([]);
  });

  it("does not show the amount of a bad check twice", () => {
    const check: ReportEvent = structuredClone(submitted);
    if (check.type !== "ReportSubmitted") throw new Error("unreachable");
    const { amount_cents: _, ...report } = check.data.report;
    const changes = lastChanges("moderator", {
      ...check,
      data: {
        ...check.data,
        report_type: "bad_check",
        report: { ...report, check_amount_cents: 9900 },
      },
    });
    expect(changes.filter(({ to }) => to === 99)).toEqual([{ field: "check_amount", to: 99 }]);
  });
});

describe("a history", () => {
  const events = stream(
    submitted,
    edited(["title", "amount"], { title: "Another title" }, { set: { amount_cents: 48_000 } }),
    {
      type: "ReportRejected",
      data: { from: "pending", verified: false, personal: { reason: "No evidence" } },
    },
  );

  it("shows who, when, what and why for every event, and keeps the chain's hash", () => {
    const [first, , third] = presentHistory(replay(events), "auditor", actorOf);
    expect(first).toMatchObject({
      id: "event-0",
      revision: 0,
      command: "SomeCommand",
      at: "2026-11-21T10:00:00.000Z",
      actor: { id: "visitor", role: "visitor" },
      status: "pending",
      verified: false,
      hash: "0".repeat(64),
    });
    expect(third).toMatchObject({ status: "rejected", reason: "No evidence" });
  });

  it.each<HistoryReader>(["moderator", "auditor"])(
    "contains no hidden value for a %s",
    (reader) => {
      const steps = replay(events);
      const text = JSON.stringify([
        presentHistory(steps, reader, actorOf),
        steps.map((step) => presentReportAt(step, REPORT_ID, reader)),
      ]);
      for (const kept of [
        "kept-back",
        "Kept Back",
        "80202",
        "Riley",
        "riley@",
        "quinn.ames@",
        "555",
      ])
        expect(text).not.toContain(kept);
    },
  );

  it("shows the report as of any revision", () => {
    const steps = replay(events);
    const [before, after] = [0, 1].map((revision) => {
      const step = steps[revision];
      return step && presentReportAt(step, REPORT_ID, "auditor");
    });
    expect(before).toMatchObject({
      title: "Chargeback after delivery",
      amount: 412.5,
      revision: 0,
    });
    expect(after).toMatchObject({
      title: "Another title",
      amount: 480,
      total_due: 505.5,
      revision: 1,
    });
    expect(before).not.toHaveProperty("reporter_email");
    const moderators = steps[0] && presentReportAt(steps[0], REPORT_ID, "moderator");
    expect(moderators).toMatchObject({ reporter_email: "r***@***" });
  });
});

it("shows the reason of any event that has one", () => {
  const reasoned = {
    type: "ReportVerifiedByHand",
    data: { reason_code: "by_phone", personal: { reason: "Called back" } },
  } as unknown as ReportEvent;
  const [first, second] = presentHistory(replay(stream(submitted, reasoned)), "auditor", actorOf);
  expect(second).toMatchObject({ reason_code: "by_phone", reason: "Called back" });
  expect(Object.keys(first ?? {})).not.toContain("reason");
});

it("shows a rejection only by code, with the code's meaning", () => {
  const [, rejected] = replay(
    stream(submitted, {
      type: "ReportRejected",
      data: { from: "pending", verified: false, reason_code: "no_evidence" },
    }),
  );
  if (!rejected) never();
  const [entry] = presentHistory([rejected as ReplayStep], "auditor", actorOf);
  expect(entry).toMatchObject({ status: "rejected", reason_code: "no_evidence" });
  expect(entry).not.toHaveProperty("reason");
  expect(presentReportAt(rejected as ReplayStep, REPORT_ID, "auditor")).toMatchObject({
    rejection_reason: expect.stringMatching(/^It has no evidence/),
  });
});

describe("a deleted report", () => {
  const life = stream(submitted, edited(["title", "amount"], { title: "Secret title" }), {
    type: "ReportDeleted",
    data: { from: "pending", reason_code: "court_order", erase_at: "2026-11-22T10:00:00.000Z" },
  });

  it("is gone from its history even before its keys are destroyed, while every event remains", () => {
    const steps = replay(life);
    const entries = presentHistory(steps, "moderator", actorOf);
    const text = JSON.stringify([
      entries,
      presentReportAt(steps[1] ?? never(), REPORT_ID, "moderator"),
    ]);
    for (const personal of ["Quinn", "Denver", 'title":', "Secret", "q***", "quinn", "9876"])
      expect(text).not.toContain(personal);
    expect(isErased(steps)).toBe(true);
    expect(entries.map(({ hash }) => hash)).toEqual(life.map(({ stored }) => stored.metadata.hash));
    expect(entries[2]).toMatchObject({ status: "deleted", reason_code: "court_order" });
  });

  it("still shows which fields an edit changed", () => {
    const changes = presentHistory(replay(life), "moderator", actorOf)[1]?.changes;
    expect(changes).toContainEqual({ field: "title", hidden: true });
  });
});

it("every field is in the visibility table, so that none is shown by mistake", () => {
  expect(Object.keys(visibility).sort()).toEqual(
    (Object.keys(reportFields) as ReportField[]).sort(),
  );
});

function never(): never {
  throw new Error("unreachable");
}
