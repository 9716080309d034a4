import { type Static, Type } from "typebox";
import { DOCUMENT_DELETIONS, MAX_FILES } from "../report/evidence-rules.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { LETTER, MAX_REQUESTS, RESOLUTION_STAGES } from "../report/resolution.ts";
import { REPORT_STATUSES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { ReportFile } from "./evidence.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";
import { ADMIN_REPORT } from "./moderation.ts";
import { StaffResolution } from "./resolution.ts";

/** The report of a document or payment, in a list over all reports. */
const ListedReport = strict({
  id: ReportId,
  /** As in emails. */
  number: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  status: codes(REPORT_STATUSES),
});

/** Files of all reports, for admins. */
export const ADMIN_DOCUMENTS = "/prod/api/admin/documents";

/** Kinds of documents, with labels. */
export const DOCUMENT_KINDS = { evidence: "Evidence", [LETTER]: "Notarized letter" } as const;
export type DocumentKind = keyof typeof DOCUMENT_KINDS;

const { file_id, kind, type, added_at } = ReportFile.properties;

/** A file of a report. Its name and size are shown only when it is opened, which is logged. */
export const ListedDocument = strict({
  file_id,
  kind,
  type,
  added_at,
  /** Number of published copies. */
  published: Type.Integer(),
  report: ListedReport,
});
export type ListedDocument = Static<typeof ListedDocument>;

/** GET: reports with the most recent file first. */
export const DocumentsQuery = strict({
  kind: Type.Optional(codes(DOCUMENT_KINDS)),
  published: Type.Optional(Type.Enum(["yes", "no"])),
  after: afterOf("documents"),
});
export type DocumentsQuery = Static<typeof DocumentsQuery>;
/** A page covers the files of a fixed number of reports, so a filtered page may be empty and still have a next one. */
export const DocumentsReply = reply(
  strict({
    documents: Type.Array(ListedDocument, { maxItems: KEYSET_PAGE * (MAX_FILES + MAX_REQUESTS) }),
    next: Next,
  }),
);
export type Documents = Static<typeof DocumentsReply>["data"];

/** POST: permanently deletes a file. */
export const DELETE_DOCUMENT = `${ADMIN_REPORT}/evidence/:fileId/delete`;
export const DeleteDocument = strict({
  reason_code: codes(DOCUMENT_DELETIONS),
  /** Required with the code `other`. */
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type DeleteDocument = Static<typeof DeleteDocument>;

/** Fees of all reports, for admins. */
export const ADMIN_PAYMENTS = "/prod/api/admin/payments";

const { stage, fee, changed_at, payments } = StaffResolution.properties;

/** The fee of a report's latest request for the RESOLVED banner, with its payments. */
export const ListedPayment = strict({ report: ListedReport, stage, fee, changed_at, payments });
export type ListedPayment = Static<typeof ListedPayment>;

/** GET: most recently changed first. */
export const PaymentsQuery = strict({
  stage: Type.Optional(codes(RESOLUTION_STAGES)),
  after: afterOf("payments"),
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;
export const PaymentsReply = reply(
  strict({ payments: Type.Array(ListedPayment, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Payments = Static<typeof PaymentsReply>["data"];
