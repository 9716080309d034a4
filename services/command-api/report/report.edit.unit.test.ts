import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { EditReport } from "#contracts/http/moderation.ts";
import { givenFor } from "#test-kit/decider.ts";
import { reportApproved, reportSubmitted, verifiedByHand } from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";
import { editProblems } from "./report.edit.ts";

const TODAY = "2026-11-21";
const moment = { now: `${TODAY}T10:00:00.000Z`, newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const submitted = reportSubmitted({
  clear: { chargeback_fee_cents: 2500, chargebacks: [{ amount_cents: 1010 }] },
  personal: {
    email: "quinn@example.net",
    phone: "+1 303 555 0142",
    chargebacks: [{ notes: "second" }],
  },
});
const report = (...events: ReportEvent[]) => given(submitted, ...events);
const stateAfter = (...events: ReportEvent[]) => report(...events).state as ReportState;
const edit = (body: EditReport) => ({ type: "EditReport", body }) as const;
const approved = reportApproved("pending", false, null);
const verified = verifiedByHand();

describe("editing", () => {
  const types = (events: readonly ReportEvent[]) => events.map(({ type }) => type);

  it("appends nothing for current values, masks and correct totals", () => {
    const same = {
      title: "Disputed a delivered order",
      email: "q***@***",
      phone: "(***) ***-****",
      amount: 412.5,
      total_due: 437.5,
      status: "pending" as const,
      verified: false,
      middle_initial: null,
      chargebacks: [{ amount: 10.1, total_due: 10.1, notes: "second" }],
    };
    report().when(edit(same)).gives();
    // A total as read includes the additional chargebacks.
    report()
      .when(edit({ ...same, total_due: 447.6 }))
      .gives();
  });

  it("changes, clears and names the fields in the order of the form", () => {
    const edited: ReportEvent = {
      type: "ReportEdited",
      data: {
        fields: ["title", "phone", "amount"],
        set: { amount_cents: 48000 },
        cleared: [],
        personal: { set: { title: "Other title" }, cleared: ["phone"] },
      },
    };
    report()
      .when(edit({ phone: null, amount: 480, title: "Other title" }))
      .gives(edited);
    const after = toWire(stateAfter(edited));
    expect(after).toMatchObject({ title: "Other title", amount: 480, total_due: 515.1 });
    expect(after.phone).toBeUndefined();
  });

  it("also runs the status and verification commands, and keeps an approved report public", () => {
    const { events } = report(approved).when(edit({ city: "Boulder", verified: true }));
    expect(types(events)).toEqual(["ReportEdited", "ReportVerifiedByHand"]);
    expect(stateAfter(approved, ...events).status).toBe("approved");
    const reviewed = report().when(edit({ status: "under_review" }));
    expect(types(reviewed.events)).toEqual(["ReportStatusSet"]);
    report()
      .when(edit({ status: "rejected" }))
      .isRefused("reason_required");
  });

  it("assigns a new slug to a renamed public report immediately, to any other on approval", () => {
    const named = { ...edit({ last_name: "Orr" }), slug: "quinn-orr" };
    const [renamed] = report(approved).when(named).events;
    expect(renamed?.data).toMatchObject({ personal: { slug: "quinn-orr" } });
    const both = { ...edit({ last_name: "Orr", status: "approved" }), slug: "quinn-orr" };
    const [edited, event] = report().when(both).events;
    expect(JSON.stringify(edited)).not.toContain("quinn-orr");
    expect(event?.data).toMatchObject({ personal: { slug: "quinn-orr" } });
  });

  it("requires a changed reporter address to be confirmed again, and revokes the old link", () => {
    const moved = { reporter_email: "new@shop.example" };
    const { events } = report(verified).when(edit(moved));
    expect(types(events)).toEqual([
      "ReportEdited",
      "ReportVerificationWithdrawn",
      "ReportVerificationResent",
    ]);
    expect(stateAfter(verified, ...events).verified).toBe(false);
    const asked = report().when(edit(moved)).events;
    expect(stateAfter(...asked).links).toHaveLength(1);
    const changed = report(...asked);
    const linkId = stateAfter().links[0]?.link_id ?? "";
    changed.when({ type: "VerifyReport", linkId }).isRefused("link_invalid");
    const { events: confirmed } = changed.when({ type: "VerifyReport", linkId: moment.newId });
    expect(confirmed).toHaveLength(1);
    const vouched = report(verified).when(edit({ ...moved, verified: true })).events;
    expect(stateAfter(verified, ...vouched).verified).toBe(true);
  });

  it("refuses a mask other than the current one, a wrong total and a cleared required field", () => {
    const wrong = { email: "x***@***", total_due: 1, last_4: null };
    const problems = editProblems(stateAfter(), wrong, TODAY);
    expect(Object.keys(problems).sort()).toEqual(["email", "last_4", "total_due"]);
    report().when(edit(wrong)).isRefused("invalid_request");
  });

  it("refuses fields of the other report type", () => {
    expect(editProblems(stateAfter(), { bank_name: "First" }, TODAY)).toHaveProperty("bank_name");
  });

  it("keeps an old report's invalid region until its country or region changes", () => {
    const { state } = given(reportSubmitted({ personal: { state: "ZZ" } }));
    const problems = (changes: EditReport) => editProblems(state as ReportState, changes, TODAY);
    expect(problems({ title: "Other title" })).toEqual({});
    expect(problems({ country: "US", state: "ZZ" })).toEqual({});
    expect(problems({ state: "XX" })).toHaveProperty("state");
    expect(problems({ country: "CA" })).toHaveProperty("state");
    expect(problems({ country: "CA", state: "ON" })).toEqual({});
    expect(problems({ country: "UK" })).toEqual({});
  });
});
