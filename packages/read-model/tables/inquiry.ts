import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import { withoutStatistics } from "../without-statistics.ts";
import type { NullableTimestamp, Timestamp } from "./report.ts";

/**
 * `inquiries.inquiry`: what was sent by the forms for the staff, except notices, as far as a list shows it. A
 * row goes when the inquiry is erased.
 */
export interface InquiryTable {
  id: string;
  /** Code of the form; maybe one of a newer version. */
  kind: string;
  status: InquiryStatus;
  /** How often the status was changed. */
  status_revision: number;
  /** Masked; empty once the inquiry's key is destroyed. */
  email: string;
  has_document: boolean;
  notes: number;
  received_at: Timestamp;
  /** When it was first answered or closed, while it is. */
  answered_at: NullableTimestamp;
}

/** Raised with every change of these tables. An older layout triggers a rebuild. */
export const INQUIRIES_LAYOUT = 1;

export function createInquiryTables(schema: string): string {
  return `
    create table ${schema}.inquiry (
      id uuid primary key,
      kind text not null,
      status text not null,
      status_revision int not null,
      email text not null,
      has_document boolean not null,
      notes int not null,
      received_at timestamptz not null,
      answered_at timestamptz
    );
    ${withoutStatistics(`${schema}.inquiry`, ["email"])}
  `;
}

export function createInquiryIndexes(schema: string): string {
  return `
    create index inquiry_newest on ${schema}.inquiry (received_at desc, id desc);
    create index inquiry_by_status on ${schema}.inquiry (status, received_at desc, id desc);
    create index inquiry_waiting on ${schema}.inquiry (received_at desc, id desc)
      where answered_at is null;
  `;
}
