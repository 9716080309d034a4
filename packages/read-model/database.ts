import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { ReadableAccount, ReadableSession } from "#command-tables/account.ts";
import type { SavedFilterTable } from "#command-tables/files.ts";
import type { JobLineTable, ReadableJob } from "#command-tables/job.ts";
import type { ReadableQueueLease, ReportViewsTable } from "#command-tables/report.ts";
import type { BackupPlaceTable } from "#operations/backup-table.ts";
import type { ProcessTable } from "#operations/process-table.ts";
import { openPool, type PoolOptions } from "#runtime/db/pool.ts";
import type { AccountTable, RegistrationStatsTable } from "./tables/account.ts";
import type { SlugTable } from "./tables/address.ts";
import type { AuditActorTable, AuditEntryTable, AuditFacetStatsTable } from "./tables/audit.ts";
import type { ContentItemTable } from "./tables/content.ts";
import type { InquiryTable, NoticeTable } from "./tables/inquiry.ts";
import type { MemberTable, PersonTable } from "./tables/offender.ts";
import type { ReadableMail, TemplateUseTable } from "./tables/outbox.ts";
import type { CheckpointTable, ParkedStreamTable } from "./tables/processor.ts";
import type {
  DeletedReportTable,
  HiddenReportTable,
  PublicReportView,
  ReportTable,
} from "./tables/report.ts";
import type {
  DayStatsTable,
  ListedStatsTable,
  ReporterDayStatsTable,
  ReporterStatsTable,
  StatusStatsTable,
  WaitStatsTable,
} from "./tables/report-stats.ts";
import type { PresentSettingsTable } from "./tables/settings.ts";
import type { FailedSignInTable, FigureAccountStatusTable, UserTable } from "./tables/user.ts";

/** The tables used in typed queries, by their full names. */
export interface ReadModel {
  "reports.report": ReportTable;
  "reports.public_report": PublicReportView;
  "reports.deleted_report": DeletedReportTable;
  "reports.hidden_report": HiddenReportTable;
  "reports.figure_status": StatusStatsTable;
  "reports.figure_listed": ListedStatsTable;
  "reports.figure_day": DayStatsTable;
  "reports.figure_wait": WaitStatsTable;
  "reports.figure_reporter_day": ReporterDayStatsTable;
  "reports.figure_reporter": ReporterStatsTable;
  "address.slug": SlugTable;
  "offenders.person": PersonTable;
  "offenders.member": MemberTable;
  "audit.entry": AuditEntryTable;
  "audit.actor": AuditActorTable;
  "audit.figure_facet": AuditFacetStatsTable;
  "accounts.account": AccountTable;
  "accounts.figure_day": RegistrationStatsTable;
  "content.item": ContentItemTable;
  "settings.present": PresentSettingsTable;
  "command.account": ReadableAccount;
  "users.user": UserTable;
  "users.figure_standing": FigureAccountStatusTable;
  "users.failed_sign_in": FailedSignInTable;
  "inquiries.inquiry": InquiryTable;
  "inquiries.notice": NoticeTable;
  "command.session": ReadableSession;
  "command.job": ReadableJob;
  "command.job_line": JobLineTable;
  "command.queue_lease": ReadableQueueLease;
  "command.saved_filter": SavedFilterTable;
  "views.report_views": ReportViewsTable;
  "outbox.mail": ReadableMail;
  "outbox.template_use": TemplateUseTable;
  "processor.checkpoint": CheckpointTable;
  "processor.parked_stream": ParkedStreamTable;
  "ops.process": ProcessTable;
  "ops.backup_place": BackupPlaceTable;
}

export type ReadModelDatabase = Kysely<ReadModel>;

const INT8 = 20;
const DATE = 1082;

/**
 * How this pool parses values, regardless of other pools in the process: `bigint` and `count(*)` as a number (an
 * error past 2^53), `date` as `YYYY-MM-DD` text, `timestamptz` as a `Date`. A `sum` of bigints is `numeric` and
 * stays text: cast it to bigint.
 */
export const readModelTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format !== "binary") {
      if (oid === INT8) return toSafeInteger;
      if (oid === DATE) return (value: string) => value;
    }
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint is past 2^53");
  return value;
}

export type ReadModelPoolOptions = Pick<PoolOptions, "name" | "max" | "statementMs">;

/** Opens a pool that parses values as in `readModelTypes`. The caller must end it. */
export function readModelPool(url: string, options: ReadModelPoolOptions): pg.Pool {
  return openPool({ ...options, url, types: readModelTypes });
}

/** Returns a Kysely over a pool of `readModelPool`. `destroy()` ends the pool. */
export function readModelDatabase(pool: pg.Pool): ReadModelDatabase {
  return new Kysely<ReadModel>({ dialect: new PostgresDialect({ pool }) });
}
