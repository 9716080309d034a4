import type { Selectable } from "kysely";
import {
  ListedNotice,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeRecord,
  type NoticesQuery,
  ShownTarget,
} from "#contracts/http/admin-notices.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { NOTICE_HOURS } from "#contracts/notice/notice-promises.ts";
import {
  NOTICE_STATUSES,
  type NoticeStatus,
  WAITING_NOTICES,
} from "#contracts/notice/notice-rules.ts";
import { DUE_HOURS } from "#contracts/notification/notification-kinds.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { NoticeTable } from "#read-model/tables/inquiry.ts";
import { BY_RECEIPT, type IndexFilter, newestPage } from "../keyset-lists.ts";

type NoticeListRow = Selectable<NoticeTable>;

const HOUR_MS = 3_600_000;
const KINDS = Object.keys(NOTICE_KINDS) as NoticeKind[];
const STATUSES = Object.keys(NOTICE_STATUSES) as NoticeStatus[];

/** Returns a page, newest first. @param now decides which are overdue. */
export function findNotices(
  db: ReadModelDatabase,
  { kind, status, overdue, after }: NoticesQuery,
  now: Date,
) {
  let query = db.selectFrom("inquiries.notice").selectAll();
  if (overdue) {
    const until = new Date(now.getTime() + (overdue === "soon" ? DUE_HOURS * HOUR_MS : 0));
    // No notice is due sooner after its receipt, so this bounds the index scan.
    const received = new Date(until.getTime() - NOTICE_HOURS * HOUR_MS);
    query = query.where("due_at", "<", until).where("received_at", "<", received);
  }
  const statuses = status ? [status] : STATUSES;
  const wanted: readonly IndexFilter[] = [
    ["kind", kind ? [kind] : KINDS],
    ["status", overdue ? statuses.filter((each) => WAITING_NOTICES.includes(each)) : statuses],
  ];
  return newestPage(db, query, { list: "notices", order: BY_RECEIPT, wanted, after });
}

export function findNotice(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("inquiries.notice")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "in", KINDS)
    .executeTakeFirst();
}

/** Returns a row as staff see it in lists. */
export function presentNotice(row: NoticeListRow): ListedNotice {
  const kind = row.kind as NoticeKind;
  const targets = row.targets.map((target) =>
    shown(ShownTarget, { ...target, report_number: reportNumber(target.report_id) }),
  );
  return shown(ListedNotice, { ...row, kind, number: caseNumber(kind, row.id), targets });
}

/** Returns a row with the notice it answers, or the counter-notice that answers it. */
export function presentNoticeRecord(row: NoticeListRow): Omit<NoticeRecord, "steps"> {
  const other = row.kind === "takedown" ? "counter_notice" : "takedown";
  const { related_id } = row;
  return {
    ...presentNotice(row),
    ...(related_id ? { related: { id: related_id, number: caseNumber(other, related_id) } } : {}),
  };
}
