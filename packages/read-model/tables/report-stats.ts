import type { ColumnType } from "kysely";
import { LETTER } from "#contracts/report/resolution.ts";
import type { Currency, ReportStatus, ReportType } from "#contracts/report/words.ts";
import { vacuumSoon } from "#runtime/db/migrate.ts";
import { withoutStatistics } from "../without-statistics.ts";

/** A sum of cents. It may exceed 2^53, so it is read as text unless the query casts it to a number. */
type SumOfCents = ColumnType<string, string, string>;

/**
 * Statistics over all reports in `reports.report`: a report's share is added with it, and subtracted when it
 * changes or is removed. Days are in UTC. The amount owed includes fees and additional chargebacks.
 */

/** `reports.figure_status`: all reports by current status. */
export interface StatusStatsTable {
  status: ReportStatus;
  currency: Currency;
  reports: number;
  owed_cents: SumOfCents;
}

/** `reports.figure_listed`: all reports by the most common filters of their list. */
export interface ListedStatsTable {
  status: ReportStatus;
  report_type: ReportType;
  verified: boolean;
  reports: number;
}

/** `reports.figure_day`: reports by day. */
export interface DayStatsTable {
  /** `YYYY-MM-DD` */
  day: string;
  currency: Currency;
  submitted: number;
  submitted_cents: SumOfCents;
  /** Reports decided on this day, by current status. */
  approved: number;
  approved_cents: SumOfCents;
  rejected: number;
}

/** `reports.figure_wait`: reports decided on a day, by the length of their wait. */
export interface WaitStatsTable {
  day: string;
  /** `waitBucket` of wait-buckets.ts. */
  bucket: number;
  reports: number;
}

/**
 * `reports.figure_reporter_day`: reports by reporter and day. Only confirmed or approved ones, because anyone can
 * enter an address.
 */
export interface ReporterDayStatsTable {
  /** `account:` with the owner's ID, or else `address:` with the blind index of the address. */
  reporter: string;
  day: string;
  currency: Currency;
  reports: number;
  approved: number;
  owed_cents: SumOfCents;
}

/** `reports.figure_reporter`: the same for all days. */
export interface ReporterStatsTable {
  reporter: string;
  reports: number;
}

const TABLES = [
  "figure_status",
  "figure_listed",
  "figure_day",
  "figure_wait",
  "figure_reporter_day",
  "figure_reporter",
];

export function createStatsTables(schema: string): string {
  return `
    create table ${schema}.figure_status (
      status text not null,
      currency text not null,
      reports int not null,
      owed_cents numeric not null,
      primary key (status, currency)
    );
    create table ${schema}.figure_listed (
      status text not null,
      report_type text not null,
      verified boolean not null,
      reports int not null,
      primary key (status, report_type, verified)
    );
    create table ${schema}.figure_day (
      day date not null,
      currency text not null,
      submitted int not null,
      submitted_cents numeric not null,
      approved int not null,
      approved_cents numeric not null,
      rejected int not null,
      primary key (day, currency)
    );
    create table ${schema}.figure_wait (
      day date not null,
      bucket int not null,
      reports int not null,
      primary key (day, bucket)
    );
    create table ${schema}.figure_reporter_day (
      reporter text collate "C" not null,
      day date not null,
      currency text not null,
      reports int not null,
      approved int not null,
      owed_cents numeric not null,
      primary key (reporter, day, currency)
    );
    create table ${schema}.figure_reporter (
      reporter text collate "C" primary key,
      reports int not null
    );
    ${withoutStatistics(`${schema}.figure_reporter_day`, ["reporter"])}
    ${withoutStatistics(`${schema}.figure_reporter`, ["reporter"])}
    ${TABLES.map((table) => vacuumSoon(`${schema}.${table}`)).join("")}
  `;
}

export function createStatsIndexes(schema: string): string {
  return `
    -- Those who reported the most.
    create index figure_reporter_by_rank on ${schema}.figure_reporter (reports desc, reporter);
    -- Those who reported in a period.
    create index figure_reporter_by_day on ${schema}.figure_reporter_day (day);
  `;
}

/**
 * SQL for when a report's last file was added, as RFC 3339 text, which sorts chronologically. Files are in that
 * order.
 */
export const NEWEST_FILE = "(files -> -1 ->> 'added_at')";
export const HAS_FILES = "files <> '[]'::jsonb";

const IDS_OF_EVIDENCE = `jsonb_path_query_array(files, '$[*] ? (@.kind == "evidence").file_id')`;
const IDS_OF_COPIES = "jsonb_path_query_array(copies, '$[*].file_id')";

/** Files that a report may have, with the SQL for whether it has them. A letter is never published. */
const HOLDINGS = {
  letter: `files @> '[{"kind":"${LETTER}"}]'::jsonb`,
  published: "copies <> '[]'::jsonb",
  unpublished: `not ${IDS_OF_COPIES} @> ${IDS_OF_EVIDENCE}`,
} as const;
export type Holding = keyof typeof HOLDINGS;

/** Each combination of holdings, by its code in the index. */
export const FILE_CLASSES: ReadonlyMap<string, readonly Holding[]> = classesOf(
  Object.keys(HOLDINGS) as Holding[],
);

function classesOf([first, ...others]: readonly Holding[]): ReadonlyMap<
  string,
  readonly Holding[]
> {
  if (!first) return new Map([["", []]]);
  return new Map(
    [...classesOf(others)].flatMap(([code, held]) => [
      [`${first.charAt(0)}${code}`, [first, ...held]] as const,
      [code, held] as const,
    ]),
  );
}

/** SQL for a report's class: the first letters of its holdings. */
export const FILE_CLASS = `(${Object.entries(HOLDINGS)
  .map(([name, has]) => `case when ${has} then '${name.charAt(0)}' else '' end`)
  .join(" || ")})`;

/** Returns the DDL of the index for the list of documents, with any filter. */
export function createFileIndexes(schema: string): string {
  return `
    create index report_by_file on ${schema}.report
      (${FILE_CLASS}, ${NEWEST_FILE} desc, id desc) where ${HAS_FILES};
  `;
}
