import type { Generated } from "kysely";
import type { BackupList } from "#contracts/http/backups.ts";

/** A task for the backup process. */
export type BackupTask =
  | { readonly task: "make"; readonly byHand: boolean }
  /** Lists the kept backups and, if one is named, reads it to the end. */
  | { readonly task: "check"; readonly name?: string };

/**
 * Why a task failed. `refused`: the sentence explains why. `unrotated`: a backup was made, but older ones
 * could not be removed. `absent`: no process makes backups. `lost`: the process died in the middle. For any
 * other failure, see that process's log.
 */
export type BackupFailure =
  | { readonly reason: "refused" | "unrotated"; readonly sentence: string }
  | { readonly reason: "absent" | "lost" | "other" };

/** Final report of the backup process to the process that asked. */
export type BackupReport =
  | {
      readonly outcome: "made";
      /** Shared by both archives, which were read to the end. */
      readonly name: string;
      readonly events: number;
      readonly files: number;
      readonly bytes: number;
      /** Older backups that were removed, and all that remain. */
      readonly removed: number;
      readonly kept: number;
      /** Anything else an admin should know. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: "checked"; readonly notes: readonly string[] }
  | ({ readonly outcome: "failed" } & BackupFailure);

/** Progress report: the size of the archive so far. */
export interface BackupProgress {
  readonly outcome: "writing";
  readonly bytes: number;
}

/** A task as its requester sees it. */
export interface BackupRun {
  /** ID of the system action. */
  readonly id: string;
  readonly task: BackupTask;
  /** Whether another process still wants the task after the signal. */
  readonly isLeft: () => boolean;
  /** Called now and then with the number of bytes written. */
  readonly wrote: (bytes: number) => void;
}

/** Runs a task in another process. It ends soon after the signal and then leaves nothing behind. Never rejects. */
export type RunBackup = (signal: AbortSignal, run: BackupRun) => Promise<BackupReport>;

/** `ops.backup_place`, one row: the configured backup locations and their contents when last listed. */
export interface BackupPlaceTable {
  single: Generated<true>;
  /** ID of the pair of locations; null until the first backup. */
  pair: string | null;
  list: BackupList | null;
  listed_at: Date | null;
}

/** Seconds without a sign of the requester after which a backup is no longer wanted. */
export const REQUESTER_TIMEOUT_SECONDS = 60;

/**
 * `backup`: tasks from command-api for the backup process. `id` is the system action's; both sides keep a
 * heartbeat (`wanted_at`, `beat_at`). One task at a time: the index allows one row without a report.
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
