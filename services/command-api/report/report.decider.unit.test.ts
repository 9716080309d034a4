import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import * as decider from "./report.decider.ts";
import { diffEdit, editProblems } from "./report.edit.ts";
import { toNewReport } from "./report.payload.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", linkId: "11111111-1111-4111-8111-111111111111" };
const afterTwoDays = "2026-11-23T10:00:00.000Z";
const reporterBlind = { email: "keyed hash" };

const body = {
  report_type: "chargeback" as const,
  title: "Disputed a delivered order",
  description: "Signed for, then disputed.",
  first_name: "Quinn",
  last_name: "Ames",
  email: "quinn@example.net",
  phone: "+1 303 555 0142",
  city: "Denver",
  state: "CO",
  zip: "80202",
  last_4: "4242",
  amount: 412.5,
  chargeback_fee: 25,
  transaction_date: "2026-05-02",
  chargebacks: [{ amount: 10.1, notes: "second" }],
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  terms_accepted: true as const,
};
const submitted = decider.submitReport(
  undefined,
  { type: "chargeback", report: toNewReport(body), blind: {}, reporterBlind },
  moment,
);

function given(...events: ReportEvent[]): ReportState {
  const state = [...submitted, ...events].reduce<ReportState | undefined>(evolveReport, undefined);
  return state as ReportState;
}
const approved: ReportEvent = {
  type: "ReportApproved",
  data: { from: "pending", verified: false },
};
const deleted: ReportEvent = {
  type: "ReportDeleted",
  data: { from: "pending", reason_code: "other" },
};

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "accepted";
}

describe("submitting", () => {
  it("asks for a link that lives 48 hours and keeps the version of the terms", () => {
    const [event] = submitted;
    expect(event).toMatchObject({
      type: "ReportSubmitted",
      data: {
        terms_version: "2026-11-21",
        link: { link_id: moment.linkId, expires_at: afterTwoDays },
      },
    });
  });

  it("fills in the defaults of the form and keeps amounts as cents", () => {
    expect(given()).toMatchObject({
      status: "pending",
      verified: false,
      clear: {
        currency: "USD",
        amount_cents: 41250,
        chargeback_fee_cents: 2500,
        shipping_status: "not_shipped",
        chargeback_reason: "services_received",
        resolution_status: "unresolved",
        chargebacks: [{ amount_cents: 1010 }],
      },
      personal: { country: "US", chargebacks: [{ notes: "second" }] },
    });
  });

  it("keeps the reporter's public name with the reporter: it goes when the reporter goes", () => {
    const report = toNewReport({ ...body, public_username: "Holt Lamps" });
    expect(report.reporter.public_username).toBe("Holt Lamps");
    expect(JSON.stringify([report.clear, report.personal])).not.toContain("Holt");
    const [event] = decider.submitReport(
      undefined,
      { type: "chargeback", report, blind: {}, reporterBlind },
      moment,
    );
    const erased = { ...event, data: { ...event?.data, reporter: null } } as ReportEvent;
    expect(JSON.stringify(toWire(evolveReport(undefined, erased)))).not.toContain("Holt");
  });

  it("is refused for a report that exists", () => {
    const command = {
      type: "chargeback" as const,
      report: toNewReport(body),
      blind: {},
      reporterBlind,
    };
    expect(code(() => decider.submitReport(given(), command, moment))).toBe("report_exists");
  });

  it("puts nothing personal in the clear", () => {
    const [event] = submitted;
    const { personal: _, reporter: __, ...clear } = (event?.data ?? {}) as Record<string, unknown>;
    for (const value of ["Quinn", "Ames", "Denver", "quinn@", "4242", "second", "Rae", "80202"]) {
      expect(JSON.stringify(clear)).not.toContain(value);
    }
  });
});

describe("verifying", () => {
  const other = "22222222-2222-4222-8222-222222222222";
  const resent: ReportEvent = {
    type: "ReportVerificationResent",
    data: { link: { link_id: other, expires_at: afterTwoDays } },
  };

  it("takes the link once", () => {
    const events = decider.verifyByLink(given(), moment.linkId, moment);
    expect(events).toEqual([{ type: "ReportVerifiedByLink", data: { link_id: moment.linkId } }]);
    expect(code(() => decider.verifyByLink(given(...events), moment.linkId, moment))).toBe(
      "already_verified",
    );
  });

  it("takes each link to the present address until it expires, and none after one was used", () => {
    const late = { ...moment, now: afterTwoDays };
    for (const linkId of [moment.linkId, other]) {
      const verify = (state: ReportState, at = moment) =>
        code(() => decider.verifyByLink(state, linkId, at));
      expect(verify(given(resent))).toBe("accepted");
      expect(verify(given(resent), late)).toBe("link_invalid");
      const used = decider.verifyByLink(given(resent), linkId, moment);
      const withdrawn: ReportEvent = { type: "ReportVerificationWithdrawn", data: {} };
      expect(verify(given(resent, ...used))).toBe("already_verified");
      expect(verify(given(resent, ...used, withdrawn))).toBe("link_invalid");
    }
    const unknown = "33333333-3333-4333-8333-333333333333";
    expect(code(() => decider.verifyByLink(given(resent), unknown, moment))).toBe("link_invalid");
  });

  it("sends again only to the reporter's own address, in any case, until verified", () => {
    expect(decider.resendVerification(given(), "RAE@shop.example", moment)).toHaveLength(1);
    expect(decider.resendVerification(given(), "else@shop.example", moment)).toEqual([]);
    expect(decider.resendVerification(undefined, "rae@shop.example", moment)).toEqual([]);
    expect(decider.resendVerification(given(deleted), "rae@shop.example", moment)).toEqual([]);
    const verified = given({ type: "ReportVerifiedByHand", data: {} });
    expect(decider.resendVerification(verified, "rae@shop.example", moment)).toEqual([]);
  });

  it("asks for no more than five links that are valid at once", () => {
    let state = given();
    for (let n = 2; n <= 5; n += 1) {
      const [event] = decider.resendVerification(state, "rae@shop.example", moment);
      state = evolveReport(state, event as ReportEvent);
    }
    expect(decider.resendVerification(state, "rae@shop.example", moment)).toEqual([]);
    const late = { ...moment, now: afterTwoDays };
    expect(decider.resendVerification(state, "rae@shop.example", late)).toHaveLength(1);
  });

  it("is refused by hand when it happened already", () => {
    expect(decider.verifyByHand(given())).toEqual([{ type: "ReportVerifiedByHand", data: {} }]);
    const verified = given({ type: "ReportVerifiedByHand", data: {} });
    expect(code(() => decider.verifyByHand(verified))).toBe("already_verified");
  });
});

describe("setting a status", () => {
  const statuses = Object.keys(REPORT_STATUSES) as ReportStatus[];

  it("lets any status follow any other, and refuses the same again", () => {
    for (const from of statuses) {
      const reached =
        from === "pending" ? given() : given(...decider.setStatus(given(), from, { reason: "r" }));
      for (const to of statuses) {
        const result = code(() => decider.setStatus(reached, to, { reason: "reason" }));
        expect(result).toBe(from === to ? "status_unchanged" : "accepted");
        if (from === to) continue;
        expect(
          evolveReport(
            reached,
            decider.setStatus(reached, to, { reason: "reason" })[0] as ReportEvent,
          ),
        ).toMatchObject({ status: to });
      }
    }
  });

  it("wants a reason for a rejection and seals it", () => {
    expect(code(() => decider.setStatus(given(), "rejected"))).toBe("reason_required");
    expect(decider.setStatus(given(), "rejected", { reason: "No proof" })[0]?.data).toEqual({
      from: "pending",
      verified: false,
      personal: { reason: "No proof" },
    });
  });

  it("gives the address of the page with the first approval, sealed", () => {
    const [event] = decider.setStatus(given(), "approved", { slug: "quinn-ames" });
    expect(event?.data).toMatchObject({ personal: { slug: "quinn-ames" } });
    const state = given(event as ReportEvent);
    expect(given()).toMatchObject({ slug: null, published: false });
    expect(state).toMatchObject({ slug: "quinn-ames", published: true });
    const back = evolveReport(state, decider.setStatus(state, "pending")[0] as ReportEvent);
    const again = evolveReport(back, decider.setStatus(back, "approved")[0] as ReportEvent);
    expect(again).toMatchObject({ slug: "quinn-ames", published: true });
  });

  it("says on approval whether the address was verified", () => {
    expect(decider.setStatus(given(), "approved")[0]?.data).toEqual({
      from: "pending",
      verified: false,
    });
    const verified = given({ type: "ReportVerifiedByHand", data: {} });
    expect(decider.setStatus(verified, "approved")[0]?.data).toMatchObject({ verified: true });
  });
});

describe("editing", () => {
  const edit = (state: ReportState, changes: Parameters<typeof diffEdit>[1]) =>
    decider.editReport(state, { diff: diffEdit(state, changes), ...(changes as object) }, moment);

  it("appends nothing for present values, masks and totals that add up", () => {
    const same = {
      title: body.title,
      email: "q***@e***.net",
      phone: "***42",
      amount: 412.5,
      total_due: 437.5,
      status: "pending" as const,
      verified: false,
      middle_initial: null,
      chargebacks: [{ amount: 10.1, total_due: 10.1, notes: "second" }],
    };
    expect(editProblems(given(), same, "2026-11-21")).toEqual({});
    expect(edit(given(), same)).toEqual([]);
  });

  it("changes, clears and names the fields in the order of the form", () => {
    const events = edit(given(), { phone: null, amount: 480, title: "Other title" });
    expect(events).toEqual([
      {
        type: "ReportEdited",
        data: {
          fields: ["title", "phone", "amount"],
          set: { amount_cents: 48000 },
          cleared: [],
          personal: { set: { title: "Other title" }, cleared: ["phone"] },
        },
      },
    ]);
    const after = toWire(given(...events));
    expect(after).toMatchObject({ title: "Other title", amount: 480, total_due: 505 });
    expect(after.phone).toBeUndefined();
  });

  it("runs the status and verification commands too, and keeps an approved report public", () => {
    const events = edit(given(approved), { city: "Boulder", verified: true });
    expect(events.map(({ type }) => type)).toEqual(["ReportEdited", "ReportVerifiedByHand"]);
    expect(given(approved, ...events).status).toBe("approved");
    expect(edit(given(), { status: "under_review" }).map(({ type }) => type)).toEqual([
      "ReportStatusSet",
    ]);
    expect(code(() => edit(given(), { status: "rejected" }))).toBe("reason_required");
  });

  it("asks a changed reporter's address to be confirmed anew, and voids the former link", () => {
    const verified: ReportEvent = { type: "ReportVerifiedByHand", data: {} };
    const events = edit(given(verified), { reporter_email: "new@shop.example" });
    expect(events.map(({ type }) => type)).toEqual([
      "ReportEdited",
      "ReportVerificationWithdrawn",
      "ReportVerificationResent",
    ]);
    expect(given(verified, ...events).verified).toBe(false);
    const asked = edit(given(), { reporter_email: "new@shop.example" });
    expect(given(...asked).links).toHaveLength(1);
    const former = moment.linkId;
    const later = { ...moment, linkId: "22222222-2222-4222-8222-222222222222" };
    const state = given(
      ...asked.slice(0, -1),
      ...decider.resendVerification(given(), "rae@shop.example", later),
    );
    expect(code(() => decider.verifyByLink(state, former, moment))).toBe("link_invalid");
    expect(code(() => decider.verifyByLink(state, later.linkId, moment))).toBe("accepted");
    const vouched = edit(given(verified), { reporter_email: "new@shop.example", verified: true });
    expect(given(verified, ...vouched).verified).toBe(true);
  });

  it("refuses a mask that is not the present one, a wrong total and a cleared required field", () => {
    const state = given();
    const problems = editProblems(
      state,
      { email: "x***@y***.com", total_due: 1, last_4: null },
      "2026-11-21",
    );
    expect(Object.keys(problems).sort()).toEqual(["email", "last_4", "total_due"]);
  });

  it("refuses fields of the other report type", () => {
    expect(editProblems(given(), { bank_name: "First" }, "2026-11-21")).toHaveProperty("bank_name");
  });

  it("gives back the payload that was submitted", () => {
    const { terms_accepted: _, ...payload } = body;
    expect(toWire(given())).toMatchObject({
      ...payload,
      total_due: 437.5,
      chargebacks: [{ amount: 10.1, notes: "second", total_due: 10.1 }],
    });
  });

  it("never loses a cent between wire and log", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => {
        const amount = Number((cents / 100).toFixed(2));
        const report = toNewReport({ ...body, amount });
        expect(report.clear.amount_cents).toBe(cents);
      }),
    );
  });
});

describe("deleting", () => {
  it("is final for every command", () => {
    const gone = given(deleted);
    for (const run of [
      () => decider.deleteReport(gone, "spam"),
      () => decider.setStatus(gone, "approved"),
      () => decider.verifyByHand(gone),
      () => decider.verifyByLink(gone, moment.linkId, moment),
      () => decider.editReport(gone, { diff: diffEdit(given(), { title: "x" }) }, moment),
    ]) {
      expect(code(run)).toBe("report_deleted");
    }
  });

  it("keeps the status it came from and its reason", () => {
    expect(decider.deleteReport(given(approved), "court_order")).toEqual([
      { type: "ReportDeleted", data: { from: "approved", reason_code: "court_order" } },
    ]);
  });
});

describe("a report that nobody submitted", () => {
  it("is not found", () => {
    expect(code(() => decider.setStatus(undefined, "approved"))).toBe("report_not_found");
    expect(code(() => decider.deleteReport(undefined, "other"))).toBe("report_not_found");
  });
});
