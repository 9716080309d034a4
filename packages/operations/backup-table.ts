import type { Generated } from "kysely";
import type { BackupReport } from "./backup-report.ts";

/**
 * `ops.backup`: a backup that command-api wants and another process makes. Both sides say at short intervals that
 * they are there: what nobody wants any more is stopped, and what nobody makes any more has failed.
 */
export interface BackupTable {
  /** Of the action of the system. */
  id: string;
  asked_at: Generated<Date>;
  /** When whoever asked was last there. */
  wanted_at: Generated<Date>;
  /** The process that makes it. */
  runner: string | null;
  /** When that one was last there. */
  beat_at: Date | null;
  /** Size of what it has written so far. */
  bytes: Generated<string>;
  /** How it ended. */
  report: BackupReport | null;
}

/** Seconds without a sign of whoever asked after which a backup is not wanted any more. */
export const WANTED_SECONDS = 60;

/** One at a time: the index takes one row without a report, whoever asks. */
export const backupMigration = {
  id: "2026-11-24-backup",
  sql: `
    create table backup (
      id uuid primary key,
      asked_at timestamptz not null default now(),
      wanted_at timestamptz not null default now(),
      runner uuid,
      beat_at timestamptz,
      bytes bigint not null default 0,
      report jsonb
    );
    create unique index one_backup_at_a_time on backup ((true)) where report is null;
  `,
};
