import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAX_COPIES } from "#contracts/report/evidence-rules.ts";
import { isOpenStage } from "#contracts/report/resolution.ts";
import type { NamedFile } from "../evidence/named-file.ts";
import type {
  DeleteEvidence,
  HideEvidence,
  PublishEvidence,
  StoredCopy,
} from "./report.commands.ts";
import { rejectIfHeld } from "./report.deletion.ts";

export function evidenceAdded({ id: file_id, type, ...personal }: NamedFile): ReportEvent {
  return { type: "EvidenceAdded", data: { file_id, kind: "evidence", type, personal } };
}

/** One event per file and copy, so that consumers of erasures see each of them. */
export function erasures({ evidence, copies }: ReportState): ReportEvent[] {
  const ids = [
    ...evidence.filter(({ erased }) => !erased).map(({ file_id }) => file_id),
    ...copies.filter(({ erased }) => !erased).map(({ copy_id }) => copy_id),
  ];
  return ids.map((file_id) => ({ type: "EvidenceErased", data: { file_id } }));
}

/** Publishes a copy of a file. @param command without a `copy`, it is only checked and nothing is published. */
export function publish(
  report: ReportState,
  command: PublishEvidence & { readonly copy?: StoredCopy | undefined },
): ReportEvent[] {
  refuseUnpublishable(report, command);
  const { fileId: file_id, kind, page, boxes, copy } = command;
  if (!copy) return [];
  const { id: copy_id, type, ...personal } = copy;
  return [
    {
      type: "EvidencePublished",
      data: { copy_id, file_id, kind, ...omitUndefined({ page }), type, boxes, personal },
    },
  ];
}

function refuseUnpublishable(report: ReportState, { fileId, kind, page }: PublishEvidence): void {
  if (!report.personal) throw new DomainError("report_deleted", "This report was deleted");
  const file = report.evidence.find(({ file_id }) => file_id === fileId);
  // Only evidence is published; other files of a report, such as letters, are not.
  if (!file || file.erased || file.kind !== "evidence")
    throw new DomainError("not_found", "File not found");
  if ((file.type === "application/pdf") !== (page !== undefined))
    throw refusalOf({
      page: page === undefined ? "Specify the page of the PDF" : "A picture has no pages",
    });
  if (kind === "check_image" && report.report_type !== "bad_check")
    throw refusalOf({ kind: "Only a bad check report has a check" });
  // Pictures can be published before the decision; they become visible once the report is approved.
  if (report.status === "rejected")
    throw new DomainError(
      "report_rejected",
      "The report is rejected. Approve it or put it under review first.",
    );
  rejectIfHeld(report);
  const shown = report.copies.filter(({ hidden, erased }) => !hidden && !erased);
  const same = shown.find((copy) => copy.file_id === fileId && copy.page === page);
  if (same && same.holds.length > 0)
    throw new DomainError(
      "held_by_notice",
      "A copyright notice applies to this picture. Decide the notice instead.",
    );
  if (same) throw new DomainError("status_unchanged", "This is already published. Hide it first.");
  if (kind === "check_image" && shown.some((copy) => copy.kind === kind))
    throw new DomainError(
      "status_unchanged",
      "A picture of the check is already published. Hide it first.",
    );
  if (shown.length >= MAX_COPIES)
    throw new DomainError("picture_limit", `A report shows at most ${MAX_COPIES} pictures.`);
}

/** Removes a published copy. It is destroyed, so that no redaction mistake survives. */
export function hide(report: ReportState, { copyId, reason }: HideEvidence): ReportEvent[] {
  const copy = report.copies.find(({ copy_id }) => copy_id === copyId);
  if (!copy) throw new DomainError("not_found", "Picture not found");
  if (copy.hidden || copy.erased)
    throw new DomainError("status_unchanged", "This is already hidden");
  const personal = reason === undefined ? {} : { personal: { reason } };
  return [
    { type: "EvidenceHidden", data: { copy_id: copyId, ...personal } },
    { type: "EvidenceErased", data: { file_id: copyId } },
  ];
}

/** Deletes a file and its published copies; the rest of the report stays unchanged. */
export function deleteFile(
  report: ReportState,
  { fileId, body: { reason_code, reason } }: DeleteEvidence,
): ReportEvent[] {
  const file = report.evidence.find(({ file_id }) => file_id === fileId);
  if (!file) throw new DomainError("not_found", "File not found");
  if (file.erased) throw new DomainError("file_deleted", "This file is already deleted");
  if (reason_code === "other" && reason === undefined)
    throw refusalOf({ reason: "Enter a reason for deleting the file" });
  const { resolution } = report;
  // Without the letter no one could decide the request, and its owner would wait forever.
  if (resolution?.file_id === fileId && isOpenStage(resolution.stage))
    throw new DomainError(
      "resolution_open",
      "This letter belongs to an open request for the RESOLVED banner. Decide that request first.",
    );
  const personal = reason === undefined ? {} : { personal: { reason } };
  const copies = report.copies.filter((copy) => copy.file_id === fileId && !copy.erased);
  return [
    { type: "EvidenceDeleted", data: { file_id: fileId, reason_code, ...personal } },
    ...copies.flatMap(({ copy_id }): ReportEvent[] => [
      { type: "EvidenceHidden", data: { copy_id } },
      { type: "EvidenceErased", data: { file_id: copy_id } },
    ]),
    { type: "EvidenceErased", data: { file_id: fileId } },
  ];
}

/** The file and its copies, all erased. */
export function deletedFiles({ copies }: ReportState, { fileId }: DeleteEvidence): string[] {
  return [fileId, ...copies.filter((copy) => copy.file_id === fileId).map((copy) => copy.copy_id)];
}
