import {
  ADMIN_DOCUMENTS,
  DocumentsQuery,
  DocumentsReply,
  type ListedDocument,
} from "#contracts/http/documents.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { listedReport } from "../listed-report.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findReportsWithFiles } from "./documents.queries.ts";

type Row = Awaited<ReturnType<typeof findReportsWithFiles>>["rows"][number];

/** Evidence and letters of all reports. */
export function documentRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    ADMIN_DOCUMENTS,
    read({
      summary: "Evidence and letters of all reports",
      querystring: DocumentsQuery,
      reply: DocumentsReply,
    }),
    async ({ query }) => {
      const { rows, ...next } = await findReportsWithFiles(db, query);
      const documents = rows.flatMap(documentsOf).filter((document) => fits(document, query));
      return succeed({ documents, ...next });
    },
  );
}

/** The files of a report, the newest first. */
function documentsOf(row: Row): ListedDocument[] {
  const report = listedReport(row);
  return row.files.toReversed().map(({ file_id, kind, type, added_at }) => ({
    file_id,
    kind,
    type,
    added_at,
    published: row.copies.filter((copy) => copy.file_id === file_id).length,
    report,
  }));
}

function fits(document: ListedDocument, { kind, published }: DocumentsQuery): boolean {
  if (kind !== undefined && document.kind !== kind) return false;
  return published === undefined || document.published > 0 === (published === "yes");
}
