import { describe, expect, it } from "vitest";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { UNDO_MS } from "#contracts/report/reporter-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  decisionUndone,
  reportApproved,
  reportDeleted,
  reporterAsked,
  reportRejected,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";
import type { LastDecision } from "./report.deletion.ts";

const QUESTION = "11111111-1111-4111-8111-111111111111";
const DECIDED_AT = Date.parse("2026-11-23T10:00:00.000Z");
const after = (ms: number) => ({
  now: new Date(DECIDED_AT + ms).toISOString(),
  newId: "22222222-2222-4222-8222-222222222222",
});
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment: after(UNDO_MS) });
const decision: LastDecision = {
  revision: 1,
  from: "pending",
  by: "moderator",
  at: new Date(DECIDED_AT).toISOString(),
};
const undo = (changed: Partial<LastDecision> = {}, accountId = "moderator") =>
  ({
    type: "UndoDecision",
    body: {},
    accountId,
    decision: { ...decision, ...changed },
  }) as const;

describe("undoing a decision", () => {
  it("restores the report's previous status, and names the decision", () => {
    given(reportSubmitted(), reportApproved())
      .when(undo())
      .gives({
        type: "ReportStatusSet",
        data: { from: "approved", to: "pending", verified: false, undoes: { revision: 1 } },
      });
    given(reportSubmitted(), reportRejected("No.", "under_review"))
      .when(undo({ from: "under_review" }))
      .gives({
        type: "ReportStatusSet",
        data: { from: "rejected", to: "under_review", verified: false, undoes: { revision: 1 } },
      });
  });

  it("is refused after a minute", () => {
    const late = givenFor({
      decide: decideReport,
      evolve: evolveReport,
      moment: after(UNDO_MS + 1),
    });
    late(reportSubmitted(), reportApproved()).when(undo()).isRefused("not_undoable");
  });

  it("repeats the previous decision with its reason, and names the undone one", () => {
    const undoes = { revision: 1 };
    given(reportSubmitted(), reportRejected("No.", "approved"))
      .when(undo({ from: "approved" }))
      .gives({ type: "ReportApproved", data: { from: "rejected", verified: false, undoes } });
    const why = { reason: "Blurred.", reason_code: "duplicate", duplicate_of: QUESTION };
    given(reportSubmitted(), reportApproved("rejected"))
      .when(undo({ from: "rejected", ...why }))
      .gives({
        type: "ReportRejected",
        data: {
          ...{ from: "approved", verified: false, undoes },
          ...{ reason_code: "duplicate", duplicate_of: QUESTION, personal: { reason: "Blurred." } },
        },
      });
  });

  it("marks the restored decision as untold, unless the status never changed", () => {
    const why = { reason_code: "other", untold: true } as const;
    given(reportSubmitted(), reportApproved("rejected"))
      .when(undo({ from: "rejected", ...why }))
      .gives({
        type: "ReportRejected",
        data: {
          ...{ from: "approved", verified: false, reason_code: "other" },
          undoes: { revision: 1, untold: true },
        },
      });
    const data = { from: "rejected", verified: false, reason_code: "other" } as const;
    given(reportSubmitted(), reportRejected("No.", "rejected"))
      .when(undo({ from: "rejected", ...why }))
      .gives({ type: "ReportRejected", data: { ...data, undoes: { revision: 1 } } });
  });

  it("is refused for anyone else", () => {
    given(reportSubmitted(), reportApproved()).when(undo({}, "another")).isRefused("not_undoable");
  });

  it("is refused if something else has happened since, or the report is gone", () => {
    const nothing = { type: "UndoDecision", body: {}, accountId: "moderator" } as const;
    given(reportSubmitted(), reportApproved()).when(nothing).isRefused("not_undoable");
    given(reportSubmitted(), reportDeleted()).when(undo()).isRefused("report_deleted");
    given().when(undo()).isRefused("report_not_found");
  });

  it("reopens the question that the decision had closed, with the same expiry", () => {
    const asked = [reportSubmitted(), verifiedByLink(), reporterAsked(QUESTION)];
    const before = given(...asked).state?.questions;
    expect(given(...asked, reportApproved()).state?.questions[0]?.state).toBe("closed");
    const undone = given(...asked, reportApproved(), decisionUndone(3, "approved", QUESTION));
    expect(undone.state?.questions).toEqual(before);
    expect(before?.[0]?.state).toBe("open");
    const without = given(...asked, reportApproved(), decisionUndone(3));
    expect(without.state?.questions[0]?.state).toBe("closed");
  });
});
