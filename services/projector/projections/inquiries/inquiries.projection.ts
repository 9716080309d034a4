import type { InquiryEvent } from "#contracts/events/index.ts";
import {
  evolveNotice,
  inquiryOf,
  NEW_NOTICE,
  NOTICE_STEPS,
} from "#contracts/events/inquiry/inquiry-fold.ts";
import {
  type InquiryStatus,
  statusAfterReply,
  statusOf,
  WAITING_INQUIRIES,
} from "#contracts/inquiry/inquiry-status.ts";
import { backBetween, noticeDueAt } from "#contracts/notice/notice-clock.ts";
import { HOLDING_NOTICES, WAITING_NOTICES } from "#contracts/notice/notice-rules.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { maskEmail } from "#contracts/report/masks.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { InquiryTable, NoticeTable } from "#read-model/tables/inquiry.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { Happened, ReadModel } from "../../keyed/read-model.ts";

type InquiryRow = JsonRow<InquiryTable>;
type NoticeRow = JsonRow<NoticeTable>;

const NOTICE_HANDLES = [
  "NoticeReceived",
  "NoticeNoteAdded",
  "NoticeErased",
  ...NOTICE_STEPS,
] as const;
type NoticeEventType = (typeof NOTICE_HANDLES)[number];

/** The notices and counter-notices that are not erased, and erased ones that still hide material. */
const notices: ReadModel<NoticeRow, NoticeEventType> = {
  table: { name: "notice", key: "id" },
  handles: NOTICE_HANDLES,
  keyOf: ({ stream }) => inquiryOf(stream),
  evolve(row, { key, event, stored }: Happened<NoticeEventType>) {
    const { time } = stored.metadata;
    if (event.type === "NoticeReceived") return received(key, event.data, time);
    if (!row) return undefined;
    if (event.type === "NoticeErased")
      // Without its row no one would find what must be put back.
      return isHolding(row.status) ? { ...row, email: "", erased: true } : undefined;
    if (event.type === "NoticeNoteAdded") return { ...row, notes: row.notes + 1 };
    const { status, revision, targets, counterNotice, answers } = evolveNotice(
      { ...NEW_NOTICE, ...row },
      event,
    );
    if (row.erased && !isHolding(status)) return undefined;
    const waits = WAITING_NOTICES.includes(status);
    return {
      ...row,
      status,
      revision,
      targets: targets.map(({ report_id, copy_id }) => ({
        report_id,
        ...omitUndefined({ copy_id }),
      })),
      related_id: counterNotice ?? answers ?? row.related_id,
      decided_at: waits ? null : (row.decided_at ?? time),
    };
  },
};

const isHolding = (status: NoticeTable["status"]) => HOLDING_NOTICES.includes(status);

function received(
  id: string,
  { kind, sender }: Extract<InquiryEvent, { type: "NoticeReceived" }>["data"],
  time: string,
): NoticeRow {
  const at = new Date(time);
  const back = kind === "counter_notice" ? backBetween(at) : undefined;
  return {
    id,
    kind,
    status: "new",
    revision: 0,
    email: sender ? maskEmail(sender.email) : "",
    erased: false,
    notes: 0,
    received_at: time,
    not_before: back?.from.toISOString() ?? null,
    due_at: (back?.to ?? noticeDueAt(at)).toISOString(),
    decided_at: null,
    targets: [],
    related_id: null,
  };
}

/** Inquiries from companies and agencies, and DMCA notices, as staff list them. */
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

const HANDLES = [
  "InquiryReceived",
  "InquiryStatusChanged",
  "InquiryNoteAdded",
  "InquiryAnswered",
  "InquiryReplied",
  "InquiryErased",
] as const;
type Type = (typeof HANDLES)[number];

/** The inquiries that are not erased. */
const inquiries: ReadModel<InquiryRow, Type> = {
  table: { name: "inquiry", key: "id" },
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
        message_chars: (sender?.answers ?? []).reduce((sum, { text }) => sum + [...text].length, 0),
        notes: 0,
        received_at: time,
        waiting_since: time,
        answered_at: null,
      };
    }
    if (!row || event.type === "InquiryErased") return undefined;
    if (event.type === "InquiryNoteAdded") return { ...row, notes: row.notes + 1 };
    const isReply = event.type === "InquiryReplied";
    const status = statusAfter(row.status, event);
    const waits = WAITING_INQUIRIES.includes(status);
    return {
      ...row,
      status,
      status_revision: row.status_revision + 1,
      waiting_since: isReply && row.answered_at ? time : row.waiting_since,
      answered_at: waits ? null : (row.answered_at ?? time),
    };
  },
};

function statusAfter(
  before: InquiryStatus,
  event: Extract<
    InquiryEvent,
    { type: "InquiryStatusChanged" | "InquiryAnswered" | "InquiryReplied" }
  >,
): InquiryStatus {
  if (event.type === "InquiryAnswered") return "answered";
  return event.type === "InquiryReplied" ? statusAfterReply(before) : statusOf(event.data.to);
}
