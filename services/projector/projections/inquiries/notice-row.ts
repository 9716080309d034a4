import type { InquiryEvent } from "#contracts/events/index.ts";
import { inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import {
  evolveNotice,
  NEW_NOTICE,
  NOTICE_STEPS,
  type NoticeTarget,
} from "#contracts/events/inquiry/notice-fold.ts";
import { given } from "#contracts/given.ts";
import { backBetween, noticeDueAt } from "#contracts/notice/notice-clock.ts";
import { HOLDING_NOTICES, WAITING_NOTICES } from "#contracts/notice/notice-rules.ts";
import { maskEmail } from "#contracts/report/masks.ts";
import type { NoticeTable } from "#read-model/tables/inquiry.ts";
import type { Happened, ReadModel } from "../../keyed/read-model.ts";

type Plain = "received_at" | "not_before" | "due_at" | "decided_at" | "targets";

/** A row of `inquiries.notice` as JSON. Times are text. */
export interface NoticeRow extends Omit<NoticeTable, Plain> {
  received_at: string;
  not_before: string | null;
  due_at: string;
  decided_at: string | null;
  targets: readonly NoticeTarget[];
}

/** Events that change a row. */
const HANDLES = ["NoticeReceived", "NoticeNoteAdded", "NoticeErased", ...NOTICE_STEPS] as const;
type Type = (typeof HANDLES)[number];

/** The notices and counter-notices that are not erased, and those that still hide material. */
export const notices: ReadModel<NoticeRow, Type> = {
  table: {
    name: "notice",
    columns: [
      "id",
      "kind",
      "status",
      "revision",
      "email",
      "erased",
      "notes",
      "received_at",
      "not_before",
      "due_at",
      "decided_at",
      "targets",
      "related_id",
    ],
  },
  handles: HANDLES,
  keyOf: ({ stream }) => inquiryOf(stream),
  evolve(row, { key, event, stored }: Happened<Type>) {
    const { time } = stored.metadata;
    if (event.type === "NoticeReceived") return received(key, event.data, time);
    if (!row) return undefined;
    if (event.type === "NoticeErased")
      // Without its row nobody would find what is to be put back.
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
      targets: targets.map(({ report_id, copy_id }) => ({ report_id, ...given({ copy_id }) })),
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
