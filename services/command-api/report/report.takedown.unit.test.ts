import { describe, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  evidenceAdded,
  evidenceHidden,
  evidencePublished,
  reportApproved,
  reportDeleted,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const NOTICE = "66666666-6666-4666-8666-666666666666";
const OTHER = "77777777-7777-4777-8777-777777777777";
const report = givenFor({
  decide: decideReport,
  evolve: evolveReport,
  moment: { newId: OTHER, now: "2026-11-23T10:00:00.000Z" },
});
const approved = [reportSubmitted(), reportApproved("pending", true, "quinn-ames")];
const takeDown = (noticeId = NOTICE, reason?: string) =>
  ({ type: "TakeDownMaterial", noticeId, reason }) as const;
const putBack = (noticeId = NOTICE) => ({ type: "PutMaterialBack", noticeId }) as const;
const down = (notice_id = NOTICE, from: "approved" | "under_review" = "approved"): ReportEvent => ({
  type: "ReportTakenDown",
  data: { notice_id, from, verified: false },
});
const back = (to: "approved" | "under_review", notice_id = NOTICE): ReportEvent => ({
  type: "ReportPutBack",
  data: { notice_id, to, verified: false },
});

describe("a report under a copyright notice", () => {
  it("is taken down once, with a reason, and only while public", () => {
    report(...approved)
      .when(takeDown(NOTICE, "It quotes a book"))
      .gives({
        type: "ReportTakenDown",
        data: {
          notice_id: NOTICE,
          from: "approved",
          verified: false,
          personal: { reason: "It quotes a book" },
        },
      });
    report(...approved, down())
      .when(takeDown())
      .gives();
    report(reportSubmitted()).when(takeDown()).isRefused("report_not_public");
  });

  it("is public again once the last notice is lifted", () => {
    report(...approved, down())
      .when(takeDown(OTHER))
      .gives(down(OTHER, "under_review"));
    const both = [...approved, down(), down(OTHER, "under_review")];
    report(...both)
      .when(putBack())
      .gives(back("under_review"));
    report(...both, back("under_review"))
      .when(putBack(OTHER))
      .gives(back("approved", OTHER));
    report(...both, back("under_review"))
      .when(putBack())
      .gives();
    report(...approved)
      .when(putBack())
      .gives();
  });

  it("keeps its status while held, whatever moderators send", () => {
    const held = report(...approved, down());
    held.when({ type: "ApproveReport", body: {} }).isRefused("held_by_notice");
    held.when({ type: "RejectReport", body: { reason: "No" } }).isRefused("held_by_notice");
    held.when({ type: "SetReportStatus", body: { status: "pending" } }).isRefused("held_by_notice");
    held.when({ type: "EditReport", body: { status: "approved" } }).isRefused("held_by_notice");
    const question = { question: "Is the picture yours?" };
    held.when({ type: "AskReporter", body: question }).isRefused("not_askable");
    report(...approved, down(), back("approved"))
      .when({ type: "SetReportStatus", body: { status: "pending" } })
      .gives({
        type: "ReportStatusSet",
        data: { from: "approved", to: "pending", verified: false },
      });
  });

  it("can be released while deleted, and isn't public once that is undone", () => {
    const deleted = reportDeleted("other", "under_review");
    const hidden = report(...approved, down(), deleted);
    hidden.when({ type: "PutMaterialBack", noticeId: NOTICE }).gives({
      type: "ReportPutBack",
      data: { notice_id: NOTICE, to: "under_review", verified: false },
    });
    const after = report(...approved, down(), deleted, back("under_review"));
    after
      .when({ type: "UndoDeletion", body: {} })
      .gives({ type: "ReportDeletionUndone", data: { to: "under_review" } });
  });
});

describe("a published picture under a copyright notice", () => {
  const added = evidenceAdded();
  const fileId = added.type === "EvidenceAdded" ? added.data.file_id : "";
  const published = evidencePublished(fileId);
  const copyId = published.type === "EvidencePublished" ? published.data.copy_id : "";
  const shown = [...approved, added, published];
  const data = { notice_id: NOTICE, copy_id: copyId };
  const withheld: ReportEvent = { type: "EvidenceWithheld", data };
  const released: ReportEvent = { type: "EvidenceReleased", data };

  it("is withheld once, released once, and never erased", () => {
    report(...shown)
      .when({ ...takeDown(), copyId })
      .gives(withheld);
    report(...shown, withheld)
      .when({ ...takeDown(), copyId })
      .gives();
    report(...shown, withheld)
      .when({ ...putBack(), copyId })
      .gives(released);
    report(...shown, withheld, released)
      .when({ ...putBack(), copyId })
      .gives();
  });

  it("is not withheld if it doesn't exist or was removed", () => {
    report(...shown)
      .when({ ...takeDown(), copyId: OTHER })
      .isRefused("not_found");
    report(...shown, ...evidenceHidden(copyId))
      .when({ ...takeDown(), copyId })
      .isRefused("not_found");
  });
});
