import { it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import { evidenceAdded, reportSubmitted } from "#test-kit/report-events.ts";
import { decideAccess } from "./access.decider.ts";

const given = givenFor({ decide: decideAccess, evolve: () => true as const, moment: undefined });

const reportId = "11111111-1111-4111-8111-111111111111";
const submitted = reportSubmitted();
const reveal = (...events: ReportEvent[]) => {
  const report = events.reduce<ReportState | undefined>(evolveReport, undefined);
  return given().when({ type: "RevealReport", reportId, report, revision: 7, withFiles: true });
};

const parts: ("personal" | "reporter")[] = ["personal", "reporter"];
const data = { report_id: reportId, revision: 7, parts, files: [] };

it("records whose data was opened, and at which revision", () => {
  reveal(submitted).gives({ type: "PersonalDataViewed", data });
});

it("opens a report whose reporter was erased", () => {
  const erased: ReportEvent = { type: "ReporterErased", data: {} };
  reveal(submitted, erased).gives({
    type: "PersonalDataViewed",
    data: { ...data, parts: ["personal"] },
  });
});

it("lists the files that are opened with it, without erased files and letters", () => {
  const [shown, erased] = [evidenceAdded(), evidenceAdded()];
  const id = (event: ReportEvent) => (event.data as { file_id: string }).file_id;
  const gone = { type: "EvidenceErased", data: { file_id: id(erased) } } as ReportEvent;
  reveal(submitted, shown, erased, gone).gives({
    type: "PersonalDataViewed",
    data: { ...data, files: [id(shown)] },
  });
});

it("refuses a report that does not exist or was deleted", () => {
  const deleted: ReportEvent = {
    type: "ReportDeleted",
    data: { from: "pending", reason_code: "other", erase_at: "2026-11-22T10:00:00.000Z" },
  };
  reveal().isRefused("report_not_found");
  reveal(submitted, deleted).isRefused("report_deleted");
});

it("refuses a report whose key was destroyed before the deletion was logged", () => {
  const data = { ...(submitted.data as object), personal: null };
  reveal({ ...submitted, data } as ReportEvent).isRefused("report_deleted");
});

it("records which list was exported, and its filter if there is one", () => {
  const exporting = { type: "ExportList", list: "reports", format: "csv", rows: 3 } as const;
  const data = { list: "reports", format: "csv", rows: 3 };
  given()
    .when({ ...exporting, filter: { q: "Ames" } })
    .gives({ type: "ListExported", data: { ...data, account: { filter: { q: "Ames" } } } });
  given()
    .when({ ...exporting, filter: {} })
    .gives({ type: "ListExported", data });
});
