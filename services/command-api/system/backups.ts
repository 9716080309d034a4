import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { BACKUP_NAME } from "#contracts/http/backups.ts";
import { strict } from "#contracts/report/fields.ts";
import { BACKUP_CHECK_ACTION } from "#contracts/system/actions.ts";
import type {
  BackupFailure,
  BackupReport,
  BackupRun,
  RunBackup,
} from "#operations/backup-table.ts";
import type { JobRun } from "../jobs/job-kind.ts";
import type { SystemAction } from "./system-action.ts";

export interface BackupMeans {
  /** Spawns a process for each; absent if a separate backup process makes them on request. */
  readonly make?: RunBackup;
  /** When the daily one is due unless admins have set a time: hours and minutes in UTC, `02:00`. */
  readonly time: string;
}

const WHY: Readonly<Record<Exclude<BackupFailure["reason"], "refused" | "unrotated">, string>> = {
  absent:
    "No backup process is running. Start one (npm run start:backup, or the backup service in docker-compose.yml), or schedule npm run backup.",
  lost: "The backup process stopped partway or can't be reached. This backup was discarded.",
  other: "The backup process failed. See its log. This backup was discarded.",
};

/** Makes and checks backups, one at a time. */
export class Backups {
  readonly #run: RunBackup;
  #isBusy = false;

  constructor(run: RunBackup) {
    this.#run = run;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** @throws {DomainError} `job_running` if another one is being made or checked. */
  async run(signal: AbortSignal, run: BackupRun): Promise<BackupReport> {
    if (this.#isBusy)
      throw new DomainError(
        "job_running",
        "A backup is being made or checked. Wait until it is done.",
      );
    this.#isBusy = true;
    try {
      return await this.#run(signal, run);
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Like {@link run}, for a job.
   * @param outlives whether it continues when this process ends or loses the job.
   * @throws {DomainError} `unavailable` with the reason why it failed.
   * @throws the job's abort reason.
   */
  async runFor(
    job: JobRun,
    outlives: boolean,
    rest: Pick<BackupRun, "task" | "wrote">,
  ): Promise<Exclude<BackupReport, { outcome: "failed" }>> {
    const isLeft = () => outlives && (job.cause === "ending" || job.cause === "lost");
    const report = await this.run(job.signal, { id: job.id, isLeft, ...rest });
    job.signal.throwIfAborted();
    if (report.outcome !== "failed") return report;
    throw new DomainError(
      "unavailable",
      "sentence" in report ? report.sentence : WHY[report.reason],
    );
  }
}

/** Bytes per unit of the job's progress. */
const MEGABYTE = 1_000_000;

/** Creates the action that makes a backup, with progress in megabytes. @param outlives see {@link Backups.runFor}. */
export function createBackup(backups: Backups, outlives: boolean): SystemAction {
  return {
    name: "backup",
    // If it does not outlive this process, a partial backup has been removed, or will be by the next one.
    whenInterrupted: outlives ? "continue" : "fail",
    async run(run) {
      let told = 0;
      const wrote = (bytes: number) => {
        const written = Math.floor(bytes / MEGABYTE);
        if (written === told) return;
        told = written;
        // A failure reaches the job through the run's signal.
        run.progress(written).catch(() => undefined);
      };
      const task = { task: "make", byHand: true } as const;
      const report = await backups.runFor(run, outlives, { task, wrote });
      if (report.outcome !== "made") return undefined;
      const { name, events, files, bytes, kept, removed, notes } = report;
      const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
      for (const message of [
        `${name}: ${counted(events, "event")}, ${counted(files, "file")}, ${size}.`,
        "The archive and its keys were read completely: the backup is intact.",
        `${counted(kept, "backup")} kept, ${counted(removed, "older one")} deleted.`,
        ...notes,
      ])
        await run.line({ target: name, outcome: "done", message });
      return events;
    },
  };
}

/** Creates the action that lists the backups for the console, and fully reads the one that is named, if any. */
export function checkBackups(backups: Backups, outlives: boolean): SystemAction {
  return {
    name: BACKUP_CHECK_ACTION,
    input: strict({ backup: Type.Optional(Type.String({ pattern: BACKUP_NAME })) }),
    whenInterrupted: "continue",
    async run(run, input) {
      const { backup: name } = input as { readonly backup?: string };
      const task = { task: "check", ...(name === undefined ? {} : { name }) } as const;
      const { notes } = await backups.runFor(run, outlives, { task, wrote: () => undefined });
      for (const message of notes) await run.line({ target: name, outcome: "done", message });
      return undefined;
    },
  };
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
