import type { Generated } from "kysely";
import type { BackupList } from "#contracts/http/backups.ts";
import type { BackupReport, BackupTask } from "./backup-report.ts";

/**
 * `ops.backup`: what command-api wants of the process that makes backups. Both sides say at short intervals that
 * they are there: what nobody wants any more is stopped, and what nobody makes any more has failed.
 */
export interface BackupTable {
  /** Of the action of the system. */
  id: string;
  task: BackupTask;
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

/** `ops.backup_place`, one row: the places that the registry uses, and what was in them when they were last listed. */
export interface BackupPlaceTable {
  single: Generated<true>;
  /** Id of the pair of places; null until the first backup. */
  pair: string | null;
  list: BackupList | null;
  listed_at: Date | null;
}

/** Seconds without a sign of whoever asked after which a backup is not wanted any more. */
export const WANTED_SECONDS = 60;

/** One at a time: the index takes one row without a report, whoever asks. */
export const backupMigration = {
  id: "2026-11-24-backup",
  sql: `
    create table backup (
      id uuid primary key,
      task jsonb not null,
      asked_at timestamptz not null default now(),
      wanted_at timestamptz not null default now(),
      runner uuid,
      beat_at timestamptz,
      bytes bigint not null default 0,
      report jsonb
    );
    create unique index one_backup_at_a_time on backup ((true)) where report is null;
    create table backup_place (
      single boolean primary key default true check (single),
      pair uuid,
      list jsonb,
      listed_at timestamptz
    );
  `,
};
