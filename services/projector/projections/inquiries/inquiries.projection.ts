import { inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { statusOf, WAITING_INQUIRIES } from "#contracts/inquiry/inquiry-status.ts";
import { maskEmail } from "#contracts/report/masks.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { InquiryTable } from "#read-model/tables/inquiry.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { Happened, ReadModel } from "../../keyed/read-model.ts";
import { notices } from "./notice-row.ts";

/** What companies and agencies sent, and DMCA notices, as staff list them. */
export function inquiriesProjection(): Projection {
  return keyedProjection({
    name: "inquiries",
    schema: projectedSchemas.inquiries,
    models: [inquiries, notices],
    filter: { streamPrefixes: ["inquiry-", "notice-", LOG_STREAM] },
    opens: true,
    erasedBy: ["InquiryErased", "NoticeErased"],
  });
}

/** A row of `inquiries.inquiry` as JSON. Times are text. */
interface InquiryRow extends Omit<InquiryTable, "received_at" | "answered_at"> {
  received_at: string;
  answered_at: string | null;
}

/** Events that change a row. */
const HANDLES = [
  "InquiryReceived",
  "InquiryStatusChanged",
  "InquiryNoteAdded",
  "InquiryErased",
] as const;
type Type = (typeof HANDLES)[number];

/** The inquiries that are not erased. */
const inquiries: ReadModel<InquiryRow, Type> = {
  table: {
    name: "inquiry",
    columns: [
      "id",
      "kind",
      "status",
      "status_revision",
      "email",
      "has_document",
      "notes",
      "received_at",
      "answered_at",
    ],
  },
  handles: HANDLES,
  keyOf: ({ stream }) => inquiryOf(stream),
  evolve(row, { key, event, stored }: Happened<Type>) {
    const { time } = stored.metadata;
    if (event.type === "InquiryReceived") {
      const { kind, sender } = event.data;
      return {
        id: key,
        kind,
        status: "new",
        status_revision: 0,
        email: sender ? maskEmail(sender.email) : "",
        has_document: sender?.document !== undefined,
        notes: 0,
        received_at: time,
        answered_at: null,
      };
    }
    if (!row || event.type === "InquiryErased") return undefined;
    if (event.type === "InquiryNoteAdded") return { ...row, notes: row.notes + 1 };
    const status = statusOf(event.data.to);
    const waits = WAITING_INQUIRIES.includes(status);
    return {
      ...row,
      status,
      status_revision: row.status_revision + 1,
      answered_at: waits ? null : (row.answered_at ?? time),
    };
  },
};
