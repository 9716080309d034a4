import { type Static, Type } from "typebox";
import { DOCUMENT_DELETIONS, MOST_FILES } from "../report/evidence-rules.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { LETTER, MOST_REQUESTS, RESOLUTION_STAGES } from "../report/resolution.ts";
import { REPORT_STATUSES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { ReportFile } from "./evidence.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";
import { ADMIN_REPORT } from "./moderation.ts";
import { StaffResolution } from "./resolution.ts";

/** Whose document or payment it is, in a list over all reports. */
const ListedReport = strict({
  id: ReportId,
  /** As in emails. */
  number: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  status: codes(REPORT_STATUSES),
});

/** Where admins read the files of all reports. */
export const ADMIN_DOCUMENTS = "/prod/api/admin/documents";

/** What a document is. */
export const DOCUMENT_KINDS = { evidence: "Evidence", [LETTER]: "Notarized letter" } as const;
export type DocumentKind = keyof typeof DOCUMENT_KINDS;

const { file_id, kind, type, added_at } = ReportFile.properties;

/** A file of a report. Its name and size are opened with the file, which the log records. */
export const ListedDocument = strict({
  file_id,
  kind,
  type,
  added_at,
  /** How many published copies it has. */
  published: Type.Integer(),
  report: ListedReport,
});
export type ListedDocument = Static<typeof ListedDocument>;

/** GET: reports whose last file is the newest first. */
export const DocumentsQuery = strict({
  kind: Type.Optional(codes(DOCUMENT_KINDS)),
  published: Type.Optional(Type.Enum(["yes", "no"])),
  after: afterOf("documents"),
});
export type DocumentsQuery = Static<typeof DocumentsQuery>;
/** A page has the files of so many reports; one that is filtered may have none, and still another behind it. */
export const DocumentsReply = reply(
  strict({
    documents: Type.Array(ListedDocument, { maxItems: KEYSET_PAGE * (MOST_FILES + MOST_REQUESTS) }),
    next: Next,
  }),
);
export type Documents = Static<typeof DocumentsReply>["data"];

/** POST: deletes a file for good. */
export const DELETE_DOCUMENT = `${ADMIN_REPORT}/evidence/:fileId/delete`;
export const DeleteDocument = strict({
  reason_code: codes(DOCUMENT_DELETIONS),
  /** Needed where the code is `other`. */
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type DeleteDocument = Static<typeof DeleteDocument>;

/** Where admins read the fees of all reports. */
export const ADMIN_PAYMENTS = "/prod/api/admin/payments";

const { stage, fee, changed_at, payments } = StaffResolution.properties;

/** The fee of a report's last request for the RESOLVED banner, with what was paid of it. */
export const ListedPayment = strict({ report: ListedReport, stage, fee, changed_at, payments });
export type ListedPayment = Static<typeof ListedPayment>;

/** GET: those that moved on last first. */
export const PaymentsQuery = strict({
  stage: Type.Optional(codes(RESOLUTION_STAGES)),
  after: afterOf("payments"),
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;
export const PaymentsReply = reply(
  strict({ payments: Type.Array(ListedPayment, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Payments = Static<typeof PaymentsReply>["data"];
