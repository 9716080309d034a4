import type { Generated } from "kysely";
import type { BackupList } from "#contracts/http/backups.ts";

/** What the process for backups is asked to do. */
export type BackupTask =
  | { readonly task: "make"; readonly byHand: boolean }
  /** Lists those that are kept, and reads one of them to its end where it is named. */
  | { readonly task: "check"; readonly name?: string };

/**
 * Why it was not done. `refused`: the sentence says it. `unrotated`: a backup was made, but older ones could not be
 * removed. `absent`: no process makes backups; `lost`: the one that did ended in the middle. What is wrong otherwise is in
 * the log of the process.
 */
export type BackupFailure =
  | { readonly reason: "refused" | "unrotated"; readonly sentence: string }
  | { readonly reason: "absent" | "lost" | "other" };

/** What the process says at its end to the one that asked. */
export type BackupReport =
  | {
      readonly outcome: "made";
      /** Of both archives. They were read to their ends. */
      readonly name: string;
      readonly events: number;
      readonly files: number;
      readonly bytes: number;
      /** Older backups that were removed, and all that are there now. */
      readonly removed: number;
      readonly kept: number;
      /** What an admin should know besides. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: "checked"; readonly notes: readonly string[] }
  | ({ readonly outcome: "failed" } & BackupFailure);

/** What it says before: the size of the archive so far. */
export interface BackupProgress {
  readonly outcome: "writing";
  readonly bytes: number;
}

/** A task as the one who wants it sees it. */
export interface BackupRun {
  /** Of the action of the system. */
  readonly id: string;
  readonly task: BackupTask;
  /** Whether another process goes on wanting it after the signal. */
  readonly isLeft: () => boolean;
  /** Told now and then how many bytes are written. */
  readonly wrote: (bytes: number) => void;
}

/** Does a task in another process. It ends soon after the signal, and then leaves nothing. Never rejects. */
export type RunBackup = (signal: AbortSignal, run: BackupRun) => Promise<BackupReport>;

/** `ops.backup_place`, one row: the places that the registry uses, and what was in them when they were last listed. */
export interface BackupPlaceTable {
  single: Generated<true>;
  /** Id of the pair of places; null until the first backup. */
  pair: string | null;
  list: BackupList | null;
  listed_at: Date | null;
}

/** Seconds without a sign of the person who asked after which a backup is not wanted anymore. */
export const WANTED_SECONDS = 60;

/**
 * `backup`: what command-api wants of the process that makes backups. `id` is of the system's action; both sides say
 * that they are there (`wanted_at`, `beat_at`). One at a time: the index takes one row without a report.
 */
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
