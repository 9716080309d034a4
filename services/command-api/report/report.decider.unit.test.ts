import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import {
  REPORT_STATUSES,
  type RejectionReason,
  type ReportStatus,
  TERMS_VERSION,
} from "#contracts/report/words.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  reportApproved,
  reportDeleted,
  verificationWithdrawn,
  verifiedByHand,
} from "#test-kit/report-events.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { decideReport } from "./report.decider.ts";
import { toNewReport } from "./report.payload.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const linkId = moment.newId;
const other = "22222222-2222-4222-8222-222222222222";
const afterTwoDays = "2026-11-23T10:00:00.000Z";
const late = { ...moment, now: afterTwoDays };

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
const reporterBlind = { email: "keyed hash" };
const termsVersion = TERMS_VERSION;
const submit = { type: "SubmitReport", body, termsVersion, blind: {}, reporterBlind } as const;
const submitted = decideReport(undefined, submit, moment);

const givenNothing = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const given = (...events: ReportEvent[]) => givenNothing(...submitted, ...events);
const stateAfter = (...events: ReportEvent[]) => given(...events).state as ReportState;

const approve: PreparedReportCommand = { type: "ApproveReport", body: {} };
const verifyByHand: PreparedReportCommand = { type: "VerifyReportByHand", body: {} };
const verifyBy = (link: string): PreparedReportCommand => ({ type: "VerifyReport", linkId: link });
const resendTo = (email: string): PreparedReportCommand => ({ type: "ResendVerification", email });
const approved = reportApproved("pending", false, null);
const deleted = reportDeleted("other");
const verified = verifiedByHand();
const resent = (link_id: string): ReportEvent => ({
  type: "ReportVerificationResent",
  data: { link: { link_id, expires_at: afterTwoDays } },
});

describe("submitting", () => {
  it("requests a link valid for 48 hours, and stores the version of the terms", () => {
    const [event] = submitted;
    expect(event).toMatchObject({
      type: "ReportSubmitted",
      data: {
        terms_version: TERMS_VERSION,
        link: { link_id: linkId, expires_at: afterTwoDays },
      },
    });
  });

  it("is confirmed immediately if the account confirmed the address, unless that is suspended", () => {
    const confirmed = { ...submit, isConfirmed: true };
    const outcome = (command: PreparedReportCommand) => {
      const { events } = givenNothing().when(command);
      return [
        events.map(({ type }) => type),
        events.reduce<ReportState | undefined>(evolveReport, undefined),
      ];
    };
    expect(outcome(confirmed)).toMatchObject([
      ["ReportSubmitted", "ReportVerifiedByAccount"],
      { verified: true, address_confirmed: true, links: [] },
    ]);
    expect(outcome({ ...confirmed, suspended: {} })).toMatchObject([
      ["ReportSubmitted", "SubmissionHeldBack"],
      { verified: false, links: [{ link_id: linkId }] },
    ]);
  });

  it("fills in the defaults of the form and keeps amounts as cents", () => {
    expect(stateAfter()).toMatchObject({
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

  it("encrypts the reporter's public name under the reporter's key, so it is erased with them", () => {
    const named = { ...body, public_username: "Holt Lamps" };
    const report = toNewReport(named);
    expect(report.reporter.public_username).toBe("Holt Lamps");
    expect(JSON.stringify([report.clear, report.personal])).not.toContain("Holt");
    const [event] = givenNothing().when({ ...submit, body: named }).events;
    const erased = { ...event, data: { ...event?.data, reporter: null } } as ReportEvent;
    expect(JSON.stringify(toWire(evolveReport(undefined, erased)))).not.toContain("Holt");
  });

  it("is refused if the report exists or was deleted", () => {
    given().when(submit).isRefused("report_exists");
    given(deleted).when(submit).isRefused("report_deleted");
  });

  it("is refused with one message per invalid field", () => {
    const wrong = { ...body, transaction_date: "2027-01-01" };
    givenNothing()
      .when({ ...submit, body: wrong })
      .isRefused("invalid_request");
  });

  it("asks for agreement again if the terms have changed", () => {
    const agreed = (terms_version: string) =>
      givenNothing().when({ ...submit, body: { ...body, terms_version } });
    expect(agreed(TERMS_VERSION).events).toEqual(submitted);
    agreed("2026-01-01").isRefused("invalid_request");
  });

  it("stores nothing personal unencrypted", () => {
    const [event] = submitted;
    const { personal: _, reporter: __, ...clear } = (event?.data ?? {}) as Record<string, unknown>;
    for (const value of ["Quinn", "Ames", "Denver", "quinn@", "4242", "second", "Rae", "80202"]) {
      expect(JSON.stringify(clear)).not.toContain(value);
    }
  });

  it("returns the payload that was submitted", () => {
    const { terms_accepted: _, ...payload } = body;
    expect(toWire(stateAfter())).toMatchObject({
      ...payload,
      total_due: 447.6,
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

describe("verifying", () => {
  it("accepts the link once", () => {
    const used: ReportEvent = { type: "ReportVerifiedByLink", data: { link_id: linkId } };
    given().when(verifyBy(linkId)).gives(used);
    given(used).when(verifyBy(linkId)).isRefused("already_verified");
  });

  it("accepts any link to the current address until it expires or one was used", () => {
    for (const link of [linkId, other]) {
      const used: ReportEvent = { type: "ReportVerifiedByLink", data: { link_id: link } };
      given(resent(other)).when(verifyBy(link)).gives(used);
      given(resent(other)).when(verifyBy(link), late).isRefused("link_invalid");
      given(resent(other), used).when(verifyBy(link)).isRefused("already_verified");
      given(resent(other), used, verificationWithdrawn())
        .when(verifyBy(link))
        .isRefused("link_invalid");
    }
    const unknown = "33333333-3333-4333-8333-333333333333";
    given(resent(other)).when(verifyBy(unknown)).isRefused("link_invalid");
  });

  it("resends only to the reporter's own address, in any case, until verified", () => {
    given().when(resendTo("RAE@shop.example")).gives(resent(linkId));
    given().when(resendTo("else@shop.example")).gives();
    givenNothing().when(resendTo("rae@shop.example")).gives();
    given(deleted).when(resendTo("rae@shop.example")).gives();
    given(verified).when(resendTo("rae@shop.example")).gives();
  });

  it("requests at most five links that are valid at the same time", () => {
    const again = resendTo("rae@shop.example");
    const asked: ReportEvent[] = [];
    for (let n = 2; n <= 5; n += 1) asked.push(...given(...asked).when(again).events);
    expect(asked).toHaveLength(4);
    given(...asked)
      .when(again)
      .gives();
    expect(given(...asked).when(again, late).events).toHaveLength(1);
  });

  it("by hand is refused if already verified", () => {
    given().when(verifyByHand).gives(verified);
    given(verified).when(verifyByHand).isRefused("already_verified");
  });
});

describe("setting a status", () => {
  const to = (status: ReportStatus, reason?: string): PreparedReportCommand => ({
    type: "SetReportStatus",
    body: { status, ...(reason === undefined ? {} : { reason }) },
  });
  const statuses = Object.keys(REPORT_STATUSES) as ReportStatus[];

  it("allows any change of status, and refuses the current one", () => {
    for (const from of statuses) {
      const reached = from === "pending" ? [] : given().when(to(from, "reason")).events;
      for (const status of statuses) {
        const decision = given(...reached).when(to(status, "reason"));
        if (from === status) decision.isRefused("status_unchanged");
        else expect(stateAfter(...reached, ...decision.events)).toMatchObject({ status });
      }
    }
  });

  it("accepts a listed reason with or without text, and requires text for any other reason", () => {
    const reject = (body: {
      reason_code?: RejectionReason;
      reason?: string;
      duplicate_of?: string;
    }) => given().when({ type: "RejectReport", body });
    const rejectedWith = (data: object) =>
      ({
        type: "ReportRejected",
        data: { from: "pending", verified: false, ...data },
      }) as ReportEvent;
    reject({ reason_code: "duplicate" }).gives(rejectedWith({ reason_code: "duplicate" }));
    const duplicate = {
      reason_code: "duplicate",
      duplicate_of: "33333333-3333-4333-8333-333333333333",
    } as const;
    reject(duplicate).gives(rejectedWith(duplicate));
    reject({ ...duplicate, reason_code: "abusive" }).isRefused("invalid_request");
    reject({ reason_code: "abusive", reason: "Line 3" }).gives(
      rejectedWith({ reason_code: "abusive", personal: { reason: "Line 3" } }),
    );
    reject({ reason_code: "other", reason: "Retold" }).gives(
      rejectedWith({ reason_code: "other", personal: { reason: "Retold" } }),
    );
    reject({ reason_code: "other" }).isRefused("reason_required");
    reject({}).isRefused("reason_required");
  });

  it("requires a reason for a rejection and encrypts it", () => {
    given().when(to("rejected")).isRefused("reason_required");
    const rejected: ReportEvent = {
      type: "ReportRejected",
      data: { from: "pending", verified: false, personal: { reason: "No proof" } },
    };
    given().when(to("rejected", "No proof")).gives(rejected);
    given()
      .when({ type: "RejectReport", body: { reason: "No proof" } })
      .gives(rejected);
  });

  it("assigns the page's slug on the first approval, encrypted", () => {
    const [event] = given().when({ ...approve, slug: "quinn-ames" }).events;
    expect(event?.data).toMatchObject({ personal: { slug: "quinn-ames" } });
    const history = [event as ReportEvent];
    expect(stateAfter()).toMatchObject({ slug: null, published: false });
    expect(stateAfter(...history)).toMatchObject({ slug: "quinn-ames", published: true });
    history.push(...given(...history).when(to("pending")).events);
    history.push(...given(...history).when(approve).events);
    expect(stateAfter(...history)).toMatchObject({ slug: "quinn-ames", published: true });
  });

  it("records on approval whether the address was verified", () => {
    given().when(approve).gives(approved);
    given().when(to("approved")).gives(approved);
    const data = { from: "pending", verified: true } as const;
    given(verified).when(approve).gives({ type: "ReportApproved", data });
  });
});

describe("erasing the reporter", () => {
  it("happens once", () => {
    const erased: ReportEvent = { type: "ReporterErased", data: {} };
    given().when({ type: "EraseReporter" }).gives(erased);
    given(erased).when({ type: "EraseReporter" }).gives();
  });
});

describe("a deleted report", () => {
  it.each<PreparedReportCommand>([
    { type: "DeleteReport", body: { reason_code: "court_order" } },
    approve,
    { type: "RejectReport", body: { reason: "r" } },
    { type: "SetReportStatus", body: { status: "under_review" } },
    verifyByHand,
    verifyBy(linkId),
    { type: "EditReport", body: { title: "x" } },
  ])("is gone for $type, and an unknown report is not found", (each) => {
    given(deleted).when(each).isRefused("report_deleted");
    givenNothing().when(each).isRefused("report_not_found");
  });

  it("can still lose its reporter", () => {
    given(deleted).when({ type: "EraseReporter" }).gives({ type: "ReporterErased", data: {} });
  });
});
