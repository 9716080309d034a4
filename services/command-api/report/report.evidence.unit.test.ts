import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MAX_COPIES } from "#contracts/report/evidence-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  evidenceAdded,
  evidencePublished,
  evidenceWithheld,
  reportApproved,
  reportDeleted,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
  reportTakenDown,
} from "#test-kit/report-events.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { decideReport } from "./report.decider.ts";

const FILE = "11111111-1111-4111-8111-111111111111";
const COPY = "22222222-2222-4222-8222-222222222222";
const NOTICE = "66666666-6666-4666-8666-666666666666";
const moment = { now: "2026-11-23T10:00:00.000Z", newId: FILE };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });

const copy = {
  id: COPY,
  type: "image/webp",
  width: 800,
  height: 600,
  bytes: 4711,
  sha256: "1f".repeat(32),
} as const;
type Publish = Extract<PreparedReportCommand, { type: "PublishEvidence" }>;
const publish = (change: Partial<Publish> = {}): PreparedReportCommand => ({
  type: "PublishEvidence",
  fileId: FILE,
  kind: "evidence",
  page: 1,
  boxes: 2,
  copy,
  ...change,
});
const hide = (copyId = COPY, reason?: string): PreparedReportCommand => ({
  type: "HideEvidence",
  copyId,
  reason,
});
const public_ = [reportSubmitted(), evidenceAdded(FILE), reportApproved()];
const published = evidencePublished(FILE, { copy_id: COPY });
const hidden: ReportEvent[] = [
  { type: "EvidenceHidden", data: { copy_id: COPY } },
  { type: "EvidenceErased", data: { file_id: COPY } },
];

describe("publishing evidence", () => {
  it("records the copy, the page and the number of boxes, and encrypts its sizes", () => {
    const { width, height, bytes, sha256 } = copy;
    given(...public_)
      .when(publish())
      .gives({
        type: "EvidencePublished",
        data: {
          copy_id: COPY,
          file_id: FILE,
          kind: "evidence",
          page: 1,
          type: "image/webp",
          boxes: 2,
          personal: { width, height, bytes, sha256 },
        },
      });
  });

  it.each([
    ["waits", []],
    ["is under review", [reportApproved(), reportStatusSet("under_review", "approved")]],
  ])("works for a report that %s; its pictures become public with the approval", (_, events) => {
    const report = given(reportSubmitted(), evidenceAdded(FILE), ...events);
    const types = report.when(publish()).events.map(({ type }) => type);
    expect(types).toEqual(["EvidencePublished"]);
  });

  it("is refused, with the reason, for a rejected report and for one held by a copyright notice", () => {
    given(...public_, reportRejected("No proof", "approved"))
      .when(publish())
      .isRefused("report_rejected");
    given(...public_, reportTakenDown(NOTICE))
      .when(publish())
      .isRefused("held_by_notice");
    given(...public_, published, evidenceWithheld(COPY, NOTICE))
      .when(publish())
      .isRefused("held_by_notice");
  });

  it("is refused for a deleted report, a missing one, and one whose person is erased", () => {
    given(...public_, reportDeleted("other", "approved"))
      .when(publish())
      .isRefused("report_deleted");
    given().when(publish()).isRefused("report_not_found");
    const submitted = reportSubmitted();
    const erased = { ...submitted, data: { ...submitted.data, personal: null } } as ReportEvent;
    given(erased, evidenceAdded(FILE), reportApproved("pending", true, null))
      .when(publish())
      .isRefused("report_deleted");
  });

  it("accepts only files of the report, and no letters", () => {
    given(...public_)
      .when(publish({ fileId: COPY }))
      .isRefused("not_found");
    given(...public_, { type: "EvidenceErased", data: { file_id: FILE } })
      .when(publish())
      .isRefused("not_found");
    const letter = evidenceAdded(FILE);
    const data = { ...letter.data, kind: "letter" };
    given(reportSubmitted(), { ...letter, data } as ReportEvent, reportApproved())
      .when(publish())
      .isRefused("not_found");
  });

  it("requires a page for a PDF, and none for a picture", () => {
    given(...public_)
      .when(publish({ page: undefined }))
      .isRefused("invalid_request");
    const file = evidenceAdded(FILE);
    const data = { ...file.data, type: "image/png" };
    const picture = [reportSubmitted(), { ...file, data } as ReportEvent, reportApproved()];
    given(...picture)
      .when(publish())
      .isRefused("invalid_request");
    expect(given(...picture).when(publish({ page: undefined })).events).toHaveLength(1);
  });

  it("works once per file or page, until it is hidden", () => {
    given(...public_, published)
      .when(publish())
      .isRefused("status_unchanged");
    expect(given(...public_, published).when(publish({ page: 2 })).events).toHaveLength(1);
    expect(given(...public_, published, ...hidden).when(publish()).events).toHaveLength(1);
  });

  it("allows one check, and only on a bad check report", () => {
    const check = publish({ kind: "check_image" });
    given(...public_)
      .when(check)
      .isRefused("invalid_request");
    const bad = [reportSubmitted({ report_type: "bad_check" }), ...public_.slice(1)];
    expect(given(...bad).when(check).events).toHaveLength(1);
    given(...bad, evidencePublished(FILE, { page: 2, kind: "check_image" }))
      .when(check)
      .isRefused("status_unchanged");
  });

  it(`allows at most ${MAX_COPIES} pictures`, () => {
    const pages = Array.from({ length: MAX_COPIES }, (_, n) =>
      evidencePublished(FILE, { page: n + 2 }),
    );
    given(...public_, ...pages)
      .when(publish())
      .isRefused("picture_limit");
  });
});

describe("hiding evidence", () => {
  it("erases the copy in the same append, whatever the status, with an optional reason", () => {
    given(...public_, published)
      .when(hide())
      .gives(...hidden);
    const review = reportStatusSet("under_review", "approved");
    const [, erased] = hidden as [ReportEvent, ReportEvent];
    given(...public_, published, review)
      .when(hide(COPY, "A number can be read"))
      .gives(
        {
          type: "EvidenceHidden",
          data: { copy_id: COPY, personal: { reason: "A number can be read" } },
        },
        erased,
      );
  });

  it("is refused for an unpublished copy, for the file itself, and a second time", () => {
    given(...public_)
      .when(hide())
      .isRefused("not_found");
    given(...public_, published)
      .when(hide(FILE))
      .isRefused("not_found");
    given(...public_, published, ...hidden)
      .when(hide())
      .isRefused("status_unchanged");
  });
});

it("an erasure lists the remaining files and copies", () => {
  const left = evidencePublished(FILE, { copy_id: moment.newId.replaceAll("1", "3"), page: 2 });
  const { copy_id } = left.data as { copy_id: string };
  given(...public_, published, left, ...hidden)
    .when({ type: "EraseReport", reasonCode: "other" })
    .gives(
      {
        type: "ReportDeleted",
        data: { from: "approved", reason_code: "other", erase_at: moment.now },
      },
      { type: "EvidenceErased", data: { file_id: FILE } },
      { type: "EvidenceErased", data: { file_id: copy_id } },
      { type: "ReportErased", data: {} },
    );
});
