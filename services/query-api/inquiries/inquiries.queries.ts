import type { Selectable } from "kysely";
import {
  type InquiriesQuery,
  LISTED_KINDS,
  ListedInquiry,
  type ListedKind,
} from "#contracts/http/admin-inquiries.ts";
import { ANSWER_HOURS, caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import {
  INQUIRY_STATUSES,
  type InquiryStatus,
  WAITING_INQUIRIES,
} from "#contracts/inquiry/inquiry-status.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { InquiryTable } from "#read-model/tables/inquiry.ts";
import { BY_RECEIPT, type IndexFilter, newestPage } from "../keyset-lists.ts";

type InquiryListRow = Selectable<InquiryTable>;

const KINDS = Object.keys(LISTED_KINDS) as ListedKind[];
const STATUSES = Object.keys(INQUIRY_STATUSES) as InquiryStatus[];
const PROMISED_MS = ANSWER_HOURS * 3_600_000;

/** Returns a page, newest first. @param now decides which are overdue. */
export function findInquiries(
  db: ReadModelDatabase,
  { kind, status, overdue, after }: InquiriesQuery,
  now: Date,
) {
  let query = db.selectFrom("inquiries.inquiry").selectAll();
  const promised = new Date(now.getTime() - PROMISED_MS);
  // Implied by the second condition, but has an index.
  if (overdue)
    query = query.where("received_at", "<", promised).where("waiting_since", "<", promised);
  const statuses = status ? [status] : STATUSES;
  const wanted: readonly IndexFilter[] = [
    ["kind", kind ? [kind] : KINDS],
    ["status", overdue ? statuses.filter((each) => WAITING_INQUIRIES.includes(each)) : statuses],
  ];
  return newestPage(db, query, { list: "inquiries", order: BY_RECEIPT, wanted, after });
}

export function findInquiry(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("inquiries.inquiry")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "in", KINDS)
    .executeTakeFirst();
}

/** Returns a row as staff see it in lists. */
export function presentInquiry(row: InquiryListRow): ListedInquiry {
  const kind = row.kind as ListedKind;
  const answer_by = new Date(row.waiting_since.getTime() + PROMISED_MS);
  return shown(ListedInquiry, { ...row, kind, number: caseNumber(kind, row.id), answer_by });
}
