import type { TimedQuestion } from "#contracts/events/report/reporter-questions.ts";
import type { Resolution } from "#contracts/events/report/resolution.ts";
import type { BlindIndexes } from "#contracts/events/report/stored-report.ts";
import type { FileType } from "#contracts/report/evidence-rules.ts";
import type { ChargebackReason, CheckReason } from "#contracts/report/reasons.ts";
import type {
  Country,
  Currency,
  ReportStatus,
  ReportType,
  ResolutionStatus,
  ShippingStatus,
} from "#contracts/report/words.ts";
import { vacuumSoon } from "#runtime/db/migrate.ts";
import { withoutStatistics } from "../without-statistics.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";
import { createStatsTables } from "./report-stats.ts";

/** An additional chargeback as shown; amounts in cents. */
export interface ShownChargebackRow {
  readonly amount_cents: number;
  readonly date?: string;
  readonly reason?: ChargebackReason;
  readonly first_6?: string;
  readonly last_4?: string;
  readonly chargeback_fee_cents?: number;
  readonly other_fees_cents?: number;
  readonly total_due_cents: number;
  readonly resolution_status?: ResolutionStatus;
}

/** A file of a report, as in its event. Times are RFC 3339. */
export interface FileRow {
  readonly file_id: string;
  readonly kind: string;
  readonly type: FileType;
  readonly added_at: string;
}

/** A published copy of a file. Sizes are in pixels and bytes. */
export interface CopyRow {
  readonly copy_id: string;
  readonly file_id: string;
  readonly kind: string;
  readonly page?: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly published_at: string;
}

/** A notice that keeps something from being public, and since when (RFC 3339). */
export interface HoldRow {
  readonly notice_id: string;
  readonly since: string;
}

/** A published copy that notices hide. */
export interface WithheldCopyRow extends CopyRow {
  readonly holds: readonly HoldRow[];
}

/** A moderator's note. The time is RFC 3339. */
export interface NoteRow {
  readonly note: string;
  readonly at: string;
  /** Account of the moderator. */
  readonly by: string;
}

/** The public columns of an approved report. Amounts are integer cents, dates `YYYY-MM-DD`. */
export interface PublicReportColumns {
  id: string;
  report_type: ReportType;
  verified: boolean;
  /** Whether it shows the RESOLVED banner. */
  resolved: boolean;
  /** The report's `seo_title`, public once `approved_at` is set. */
  slug: string | null;
  first_name: string;
  last_name: string;
  title: string;
  description: string;
  /** Masks. The values themselves are not stored here. */
  email_mask: string | null;
  phone_mask: string | null;
  city: string;
  state: string;
  country: Country;
  tracking_number: string | null;
  first_6: string | null;
  last_4: string | null;
  bank_name: string | null;
  bank_account_mask: string | null;
  currency: Currency;
  /** The original amount; for a bad check its check amount. */
  amount_cents: number;
  check_amount_cents: number | null;
  chargeback_fee_cents: number | null;
  other_fees_cents: number | null;
  /** Sum of the report's own amounts, without the additional chargebacks. */
  total_due_cents: number;
  transaction_date: string | null;
  chargeback_date: string | null;
  check_date: string | null;
  chargeback_reason: ChargebackReason | null;
  check_reason: CheckReason | null;
  shipping_status: ShippingStatus | null;
  resolution_status: ResolutionStatus;
  chargebacks: Json<readonly ShownChargebackRow[]>;
  /** Without hidden, erased and withheld copies. */
  copies: Json<readonly CopyRow[]>;
  public_username: string | null;
  origin: "live" | "sample";
  created_at: Timestamp;
  /** Time of the report's last event other than a moderator's note. */
  updated_at: Timestamp;
  /** Time of the last approval; null if the report was never approved. */
  approved_at: NullableTimestamp;
  /** Revision of the report's stream that this row shows, and its log position. */
  revision: number;
  position: string;
}

/**
 * `reports.report`: one row for each report that is neither deleted nor erased. It is the moderators' own table:
 * it holds names and texts of reports in every status in the clear, with questions, answers, notes and payment
 * references. Values that are visible only after `reveal` are not in it.
 */
export interface ReportTable extends PublicReportColumns {
  status: ReportStatus;
  reporter_email_mask: string | null;
  /** Without erased files. */
  files: Json<readonly FileRow[]>;
  /** Notices that keep it from being public. */
  holds: Json<readonly HoldRow[]>;
  /** Copies that notices hide. */
  withheld: Json<readonly WithheldCopyRow[]>;
  /** Set while it is rejected. */
  rejection_reason: string | null;
  /** Time of the decision that led to the status; null while it is waiting for one. */
  decided_at: NullableTimestamp;
  /** When the wait for its decision began: on submission, or when it was returned to pending. */
  waiting_since: Timestamp;
  /** When the wait ended. A later opposite decision does not move it. Null while it is waiting. */
  settled_at: NullableTimestamp;
  /** The times before the last decision, which an undo restores. */
  before_decision: Json<DecisionTimes | null>;
  /** Blind indexes, as in the events. */
  blind: Json<BlindIndexes>;
  /** `identifierKeys` of search/matching.ts: two reports that share one may be about the same person. */
  match_keys: string[];
  /** The account that submitted or claimed it; null for visitors and once erased. See `owns_after` of the account. */
  owner_id: string | null;
  /** Position at which the owner submitted or claimed it; null without an owner. */
  owned_since: string | null;
  /** Blind index of the reporter's address, with which an account finds its reports; null once erased. In no reply. */
  reporter_blind: string | null;
  /** Whether an emailed link confirmed the reporter's current address. */
  address_confirmed: boolean;
  /** Moderators' questions to the reporter, oldest first. */
  questions: Json<readonly TimedQuestion[]>;
  /** Moderators' internal notes, oldest first. */
  moderator_notes: Json<readonly NoteRow[]>;
  /** Deadline for an answer to the open question, which may have passed; null without one. */
  asked_until: NullableTimestamp;
  /** When the reporter answered; null after a decision or another question. */
  answered_at: NullableTimestamp;
  /** The latest request for the RESOLVED banner, and when it last changed. */
  resolution: Json<Resolution | null>;
  resolution_at: NullableTimestamp;
  /** Set while a deletion is waiting for another admin. */
  deletion_request: Json<DeletionRequestColumn | null>;
}

/** Times of a report that decisions change, RFC 3339. */
export interface DecisionTimes {
  readonly waiting_since: string;
  readonly settled_at: string | null;
  readonly decided_at: string | null;
  readonly answered_at: string | null;
}

/** Who requested a deletion, when (RFC 3339), and why. */
export interface DeletionRequestColumn {
  readonly by: string;
  readonly at: string;
  readonly reason_code: string;
}

/** Who deleted a report, when, why, and when it may be erased. Times are RFC 3339. */
export interface DeletionColumn extends DeletionRequestColumn {
  readonly erase_at: string;
}

/** SQL for when a row of `reports.hidden_report` is erased, as text. */
export const DELETION_ERASE_AT = "(deletion ->> 'erase_at')";

/**
 * `reports.hidden_report`: deleted reports that are not erased, separate from everything that reads
 * `reports.report`.
 */
export interface HiddenReportTable extends ReportTable {
  deletion: Json<DeletionColumn>;
}

/** `reports.public_report`: view of the public columns of approved reports. */
export interface PublicReportView extends PublicReportColumns {
  slug: string;
}

/** `reports.deleted_report`: shows moderators that a report was deleted, unless that was undone. */
export interface DeletedReportTable {
  report_id: string;
}

/** Columns of the public view, in the table's order. */
export const PUBLIC_REPORT_COLUMNS = [
  "id",
  "report_type",
  "verified",
  "resolved",
  "slug",
  "first_name",
  "last_name",
  "title",
  "description",
  "email_mask",
  "phone_mask",
  "city",
  "state",
  "country",
  "tracking_number",
  "first_6",
  "last_4",
  "bank_name",
  "bank_account_mask",
  "currency",
  "amount_cents",
  "check_amount_cents",
  "chargeback_fee_cents",
  "other_fees_cents",
  "total_due_cents",
  "transaction_date",
  "chargeback_date",
  "check_date",
  "chargeback_reason",
  "check_reason",
  "shipping_status",
  "resolution_status",
  "chargebacks",
  "copies",
  "public_username",
  "origin",
  "created_at",
  "updated_at",
  "approved_at",
  "revision",
  "position",
] as const satisfies readonly (keyof PublicReportColumns)[];

/** Columns that name or describe a person. */
const NAMING_COLUMNS = [
  "slug",
  "first_name",
  "last_name",
  "title",
  "description",
  "email_mask",
  "phone_mask",
  "city",
  "tracking_number",
  "first_6",
  "last_4",
  "bank_name",
  "bank_account_mask",
  "chargebacks",
  "public_username",
  "reporter_email_mask",
  "rejection_reason",
  "blind",
  "match_keys",
  "owner_id",
  "reporter_blind",
  "questions",
  "moderator_notes",
  "resolution",
] as const satisfies readonly (keyof ReportTable)[];

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const REPORTS_LAYOUT = 20;

/** SQL for whether a row is waiting for its reporter's confirmation rather than for a moderator. */
export const IS_UNCONFIRMED = "status = 'pending' and not verified";

/** SQL for the stage of the latest request for the RESOLVED banner (`RESOLUTION_STAGES`). */
export const RESOLUTION_STAGE = "resolution ->> 'stage'";

/** Returns the DDL of the tables with primary keys only. The rest follows once a rebuild has filled them. */
export function createReportTables(schema: string): string {
  return `
    create table ${schema}.report (
      id uuid primary key,
      report_type text not null,
      verified boolean not null,
      resolved boolean not null default false,
      slug text,
      first_name text not null,
      last_name text not null,
      title text not null,
      description text not null,
      email_mask text,
      phone_mask text,
      city text not null,
      state text not null,
      country text not null,
      tracking_number text,
      first_6 text,
      last_4 text,
      bank_name text,
      bank_account_mask text,
      currency text not null,
      amount_cents bigint not null,
      check_amount_cents bigint,
      chargeback_fee_cents bigint,
      other_fees_cents bigint,
      total_due_cents bigint not null,
      transaction_date date,
      chargeback_date date,
      check_date date,
      chargeback_reason text,
      check_reason text,
      shipping_status text,
      resolution_status text not null,
      chargebacks jsonb not null,
      copies jsonb not null,
      public_username text,
      origin text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      approved_at timestamptz,
      revision int not null,
      position text collate "C" not null,
      status text not null,
      reporter_email_mask text,
      files jsonb not null,
      holds jsonb not null default '[]',
      withheld jsonb not null default '[]',
      rejection_reason text,
      decided_at timestamptz,
      waiting_since timestamptz not null default now(),
      settled_at timestamptz,
      before_decision jsonb,
      blind jsonb not null,
      match_keys text[] not null,
      owner_id uuid,
      owned_since text collate "C",
      reporter_blind text,
      address_confirmed boolean not null,
      questions jsonb not null default '[]',
      moderator_notes jsonb not null default '[]',
      asked_until timestamptz,
      answered_at timestamptz,
      resolution jsonb,
      resolution_at timestamptz,
      deletion_request jsonb
    );
    create table ${schema}.hidden_report (
      like ${schema}.report including defaults,
      deletion jsonb not null,
      primary key (id)
    );
    ${["report", "hidden_report"]
      .map(
        (table) => `
    ${withoutStatistics(`${schema}.${table}`, NAMING_COLUMNS)}
    ${vacuumSoon(`${schema}.${table}`)}`,
      )
      .join("")}
    create table ${schema}.deleted_report (
      report_id uuid primary key
    );
    ${createStatsTables(schema)}
    create view ${schema}.public_report as
      select ${PUBLIC_REPORT_COLUMNS.join(", ")} from ${schema}.report
      where status = 'approved';
  `;
}
