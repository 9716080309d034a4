import { describe, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import type { DeletionReason } from "#contracts/report/words.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";
import type { DeletionContext } from "./report.deletion.ts";

const moment = { now: "2026-11-28T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const eraseAt = "2026-11-29T10:00:00.000Z";
const ADMIN = "22222222-2222-4222-8222-222222222222";
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const report = (...events: ReportEvent[]) => given(reportSubmitted(), reportApproved(), ...events);

const free: DeletionContext = { eraseAt, isSecond: false, mayDeleteAlone: true, told: [ADMIN] };
const bound: DeletionContext = { ...free, mayDeleteAlone: false };
const second: DeletionContext = { ...bound, isSecond: true };
const remove = (context: DeletionContext, reason_code: DeletionReason = "spam") =>
  ({ type: "DeleteReport", body: { reason_code }, context }) as const;
const undo = { type: "UndoDeletion", body: {} } as const;
const requested: ReportEvent = { type: "ReportDeletionRequested", data: { reason_code: "spam" } };
const deleted = reportDeleted("spam", "approved");
const urgent = reportDeleted("court_order", "approved");

describe("deleting a report", () => {
  it("hides it until its erasure, and destroys nothing, whatever the reason", () => {
    for (const reason_code of ["court_order", "subject_request", "duplicate"] as const)
      report()
        .when(remove(free, reason_code))
        .gives({
          type: "ReportDeleted",
          data: { from: "approved", reason_code, erase_at: eraseAt },
        });
  });

  it("waits for another admin once its sender has deleted too many, and names the admins to email", () => {
    report()
      .when(remove(bound))
      .gives({ type: "ReportDeletionRequested", data: { reason_code: "spam", told: [ADMIN] } });
    report(requested).when(remove(bound)).isRefused("second_admin_required");
  });

  it("happens once another admin deletes the report too, for the first one's reason", () => {
    report(requested)
      .when(remove(second, "duplicate"))
      .gives({
        type: "ReportDeleted",
        data: { from: "approved", reason_code: "spam", erase_at: eraseAt },
      });
  });

  it("erases immediately only if two admins delete it for an urgent reason", () => {
    report(urgent)
      .when(remove(second, "subject_request"))
      .gives({ type: "ReportErased", data: {} });
    report(urgent).when(remove(free, "court_order")).isRefused("second_admin_required");
    report(urgent).when(remove(second, "spam")).isRefused("report_deleted");
    report(deleted).when(remove(second, "court_order")).isRefused("report_deleted");
  });
});

describe("undoing a deletion", () => {
  it("restores the report's previous status", () => {
    const to = "approved";
    report(deleted).when(undo).gives({ type: "ReportDeletionUndone", data: { to } });
    report(deleted, reportDeletionUndone(to)).when(undo).isRefused("not_undoable");
    report(deleted, reportDeletionUndone(to))
      .when({ type: "SetReportStatus", body: { status: "pending" } })
      .gives({ type: "ReportStatusSet", data: { from: to, to: "pending", verified: false } });
  });

  it("withdraws a pending deletion", () => {
    report(requested)
      .when(undo)
      .gives({ type: "ReportDeletionUndone", data: { to: "approved" } });
    report(requested, reportDeletionUndone("approved"))
      .when(remove(second))
      .gives({
        type: "ReportDeleted",
        data: { from: "approved", reason_code: "spam", erase_at: eraseAt },
      });
  });

  it("is refused once the report is erased, and so is everything else", () => {
    const erased = report(deleted, reportErased());
    for (const command of [undo, remove(free), { type: "EraseReporter" } as const])
      erased.when(command).isRefused("report_deleted");
    erased.when({ type: "EraseReport", reasonCode: "other" }).isRefused("report_deleted");
    erased.when({ type: "ExpireReport", cause: "deleted" }).gives();
  });
});
