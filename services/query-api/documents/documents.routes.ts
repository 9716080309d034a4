import {
  ADMIN_DOCUMENTS,
  ADMIN_PAYMENTS,
  DocumentsQuery,
  DocumentsReply,
  type ListedDocument,
  PaymentsQuery,
  PaymentsReply,
} from "#contracts/http/documents.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentResolution } from "../resolutions/resolutions.queries.ts";
import { listedReport } from "../visible-report.ts";
import { findPayments, findReportsWithFiles } from "./documents.queries.ts";

type Row = Awaited<ReturnType<typeof findReportsWithFiles>>["rows"][number];

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

/** The files of a report, newest first. */
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

export function paymentRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    ADMIN_PAYMENTS,
    read({
      summary: "RESOLVED banner fees of all reports, with their payments",
      querystring: PaymentsQuery,
      reply: PaymentsReply,
    }),
    async ({ query }) => {
      const { rows, ...next } = await findPayments(db, query);
      const shown = rows.flatMap((row) => {
        const resolution = presentResolution(row.resolution, row.resolution_at);
        if (!resolution) return [];
        const { stage, fee, changed_at, payments } = resolution;
        return [{ report: listedReport(row), stage, fee, changed_at, payments }];
      });
      return succeed({ payments: shown, ...next });
    },
  );
}
