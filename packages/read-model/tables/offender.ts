import type { Currency, ReportType } from "#contracts/report/words.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { vacuumSoon } from "#runtime/db/migrate.ts";
import { withoutStatistics } from "../without-statistics.ts";
import type { Json, Timestamp } from "./column-types.ts";

export interface TotalRow {
  readonly currency: Currency;
  readonly amount_cents: number;
}

/** `offenders.person`: a person with two or more approved reports, whose texts are in `reports.public_report`. */
export interface PersonTable {
  /** Smallest ID among the person's reports. May change when the group does. */
  id: string;
  report_count: number;
  /** Ids of the reports, sorted. */
  report_ids: string[];
  /** Total due over all of them, including additional chargebacks, by currency code. */
  totals: Json<readonly TotalRow[]>;
  /** Total in US dollars; 0 if there is none. */
  usd_total_cents: number;
  /** What at least two of the reports have in common: "email", "street and ZIP". */
  shares: string[];
  /** The report that was submitted last. */
  latest_report_id: string;
  latest_at: Timestamp;
}

/** `offenders.member`: one row for each report that is neither deleted nor erased. */
export interface MemberTable {
  report_id: string;
  approved: boolean;
  /** Person of an approved report; null while it is the only report about that person. */
  person_id: string | null;
  /** Names and blind indexes, sealed as a column with the report's key, because they are not public before approval. */
  identity: Json<Sealed>;
  /** `identityKeys` of an approved report; empty for others. */
  keys: string[];
  report_type: ReportType;
  currency: Currency;
  amount_cents: number;
  chargeback_fee_cents: number;
  other_fees_cents: number;
  /** Sum over the additional chargebacks. */
  chargebacks_cents: number;
  created_at: Timestamp;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const OFFENDERS_LAYOUT = 4;

/** Returns the DDL of the tables with primary keys only. The rest follows once a rebuild has filled them. */
export function createOffenderTables(schema: string): string {
  return `
    create table ${schema}.person (
      id uuid primary key,
      report_count int not null,
      report_ids uuid[] not null,
      totals jsonb not null,
      usd_total_cents bigint not null,
      shares text[] not null,
      latest_report_id uuid not null,
      latest_at timestamptz not null
    );
    create table ${schema}.member (
      report_id uuid primary key,
      approved boolean not null,
      person_id uuid,
      identity jsonb not null,
      keys text[] not null,
      report_type text not null,
      currency text not null,
      amount_cents bigint not null,
      chargeback_fee_cents bigint not null,
      other_fees_cents bigint not null,
      chargebacks_cents bigint not null,
      created_at timestamptz not null
    );
    create table ${schema}.identity_key (
      key text collate "C" not null,
      report_id uuid not null,
      primary key (key, report_id)
    );
    ${withoutStatistics(`${schema}.member`, ["identity", "keys"])}
    ${withoutStatistics(`${schema}.identity_key`, ["key"])}
    ${["person", "member", "identity_key"].map((table) => vacuumSoon(`${schema}.${table}`)).join("")}
  `;
}

export function createOffenderIndexes(schema: string): string {
  return `
    -- Habitual offenders: most reports first, then the largest sum.
    create index person_by_rank on ${schema}.person
      (report_count desc, usd_total_cents desc, latest_at desc, id);
    -- A person's other reports.
    create index member_by_person on ${schema}.member (person_id, created_at)
      where person_id is not null;
    -- Persons of a period, from the index alone.
    create index member_by_time on ${schema}.member (created_at) include (person_id)
      where person_id is not null;
  `;
}
