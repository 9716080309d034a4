import {
  PUBLISHED_EVIDENCE,
  type PublishedEvidence,
  type ReportFile,
} from "#contracts/http/evidence.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ModeratorReportRow, PublicReportRow } from "../reports/reports.queries.ts";

/** Whether an approved report shows this copy. */
export async function isShown(
  db: ReadModelDatabase,
  reportId: string,
  copyId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("reports.public_report")
    .select("copies")
    .where("id", "=", reportId)
    .executeTakeFirst();
  return row?.copies.some(({ copy_id }) => copy_id === copyId) ?? false;
}

const urlOf = (reportId: string, copyId: string) =>
  PUBLISHED_EVIDENCE.replace(":id", reportId).replace(":copyId", copyId);

/** Returns the evidence on a report's public page. */
export function presentEvidence({ id: reportId, copies }: Pick<PublicReportRow, "id" | "copies">): {
  readonly evidence: PublishedEvidence[];
  readonly check_image_url: string | null;
} {
  const check = copies.find(({ kind }) => kind === "check_image");
  return {
    evidence: copies.map(({ copy_id: id, bytes: size, width, height }) => ({
      id,
      url: urlOf(reportId, id),
      size,
      width,
      height,
    })),
    check_image_url: check ? urlOf(reportId, check.copy_id) : null,
  };
}

/**
 * Returns a report's files with their published copies, for moderators. Letters are shown with their banner
 * request.
 */
export function presentFiles({
  files,
  copies,
}: Pick<ModeratorReportRow, "files" | "copies">): ReportFile[] {
  const evidence = files.filter(({ kind }) => kind !== LETTER);
  return evidence.map((file) => ({
    ...file,
    copies: copies
      .filter(({ file_id }) => file_id === file.file_id)
      .map(({ copy_id, kind, page, width, height, bytes: size, published_at }) => ({
        copy_id,
        kind,
        ...omitUndefined({ page }),
        width,
        height,
        size,
        published_at,
      })),
  }));
}
