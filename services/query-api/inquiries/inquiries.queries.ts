import type { Selectable } from "kysely";
import {
  type InquiriesQuery,
  LISTED_KINDS,
  type ListedInquiry,
  type ListedKind,
} from "#contracts/http/admin-inquiries.ts";
import { caseNumber } from "#contracts/inquiry/case-number.ts";
import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { InquiryTable } from "#read-model/tables/inquiry.ts";
import { newestFirst } from "../keyset-lists.ts";

export type InquiryListRow = Selectable<InquiryTable>;

const KINDS = Object.keys(LISTED_KINDS) as ListedKind[];
const PROMISED_MS = ANSWER_HOURS * 3_600_000;

/** The newest inquiries; one more than a page shows. @param now for what is overdue. */
export function findInquiries(
  db: ReadModelDatabase,
  { kind, status, overdue, after }: InquiriesQuery,
  now: Date,
) {
  let query = db
    .selectFrom("inquiries.inquiry")
    .selectAll()
    .where("kind", "in", kind ? [kind] : KINDS);
  if (status) query = query.where("status", "=", status);
  if (overdue)
    query = query
      .where("answered_at", "is", null)
      .where("received_at", "<", new Date(now.getTime() - PROMISED_MS));
  return newestFirst(query, "received_at", after).execute();
}

export function findInquiry(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("inquiries.inquiry")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "in", KINDS)
    .executeTakeFirst();
}

/** A row as staff see it in lists. */
export function presentInquiry(row: InquiryListRow): ListedInquiry {
  const { id, status, status_revision, email, has_document, notes } = row;
  const kind = row.kind as ListedKind;
  return {
    id,
    number: caseNumber(kind, id),
    kind,
    status,
    status_revision,
    email,
    has_document,
    notes,
    received_at: row.received_at.toISOString(),
    answer_by: new Date(row.received_at.getTime() + PROMISED_MS).toISOString(),
    ...(row.answered_at ? { answered_at: row.answered_at.toISOString() } : {}),
  };
}
