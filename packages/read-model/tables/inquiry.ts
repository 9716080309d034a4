import type { NoticeTarget } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import type { NoticeStatus } from "#contracts/notice/notice-rules.ts";
import { withoutStatistics } from "../without-statistics.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** `inquiries.inquiry`: submitted forms except notices, as a list shows them, until erased. */
export interface InquiryTable {
  id: string;
  /** Code of the form; may be one of a newer version. */
  kind: string;
  status: InquiryStatus;
  /** Number of status changes. */
  status_revision: number;
  /** Masked; empty once the inquiry's key is destroyed. */
  email: string;
  has_document: boolean;
  /** Length of the sender's text without name and address, in characters. */
  message_chars: number;
  notes: number;
  received_at: Timestamp;
  /** When its sender began to wait: with the inquiry, or with a reply to an answer. */
  waiting_since: Timestamp;
  /** When it was first answered or closed since then; null while its sender is waiting. */
  answered_at: NullableTimestamp;
}

/**
 * `inquiries.notice`: DMCA notices and counter-notices, as a list shows them, until they are erased and hide
 * nothing.
 */
export interface NoticeTable {
  id: string;
  /** Code of the form; may be one of a newer version. */
  kind: string;
  status: NoticeStatus;
  /** Number of links and decisions. */
  revision: number;
  /** Masked; empty once the notice is erased or its key destroyed. */
  email: string;
  erased: boolean;
  notes: number;
  received_at: Timestamp;
  /** Counter-notices only: when the material may be restored at the earliest. */
  not_before: NullableTimestamp;
  /** Deadline for the decision. */
  due_at: Timestamp;
  decided_at: NullableTimestamp;
  /** Reports and pictures that a notice is about. */
  targets: Json<readonly NoticeTarget[]>;
  /** The notice that it answers, or the counter-notice that answers it. */
  related_id: string | null;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const INQUIRIES_LAYOUT = 6;

export function createInquiryTables(schema: string): string {
  return `
    create table ${schema}.inquiry (
      id uuid primary key,
      kind text not null,
      status text not null,
      status_revision int not null,
      email text not null,
      has_document boolean not null,
      message_chars int not null,
      notes int not null,
      received_at timestamptz not null,
      waiting_since timestamptz not null,
      answered_at timestamptz
    );
    ${withoutStatistics(`${schema}.inquiry`, ["email"])}
    create table ${schema}.notice (
      id uuid primary key,
      kind text not null,
      status text not null,
      revision int not null,
      email text not null,
      erased boolean not null,
      notes int not null,
      received_at timestamptz not null,
      not_before timestamptz,
      due_at timestamptz not null,
      decided_at timestamptz,
      targets jsonb not null,
      related_id uuid
    );
    ${withoutStatistics(`${schema}.notice`, ["email"])}
  `;
}

export function createInquiryIndexes(schema: string): string {
  return `
    -- The lists by kind and status, the newest first.
    create index inquiry_by_kind on ${schema}.inquiry (kind, status, received_at desc, id desc);
    -- What waits, to be counted.
    create index inquiry_waiting on ${schema}.inquiry (waiting_since, id)
      where answered_at is null;
    create index notice_by_kind on ${schema}.notice (kind, status, received_at desc, id desc);
    create index notice_waiting on ${schema}.notice (due_at) where decided_at is null;
  `;
}
