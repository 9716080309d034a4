import { DomainError } from "#contracts/domain-error.ts";
import type {
  BackupFailure,
  BackupReport,
  BackupRun,
  MakeBackup,
} from "#operations/backup-report.ts";
import type { SystemAction } from "./system-action.ts";

/** What a command-api needs to make backups. */
export interface BackupMeans {
  /** Begins a process for each; absent where a process of its own is there for them, which is asked. */
  readonly make?: MakeBackup;
  /** When the daily one is due unless admins have set it: hours and minutes in UTC, `02:00`. */
  readonly time: string;
}

const WHY: Readonly<Record<BackupFailure, string>> = {
  full: "The disk that keeps the backups is full: make room. Nothing of this one is left.",
  unwritable:
    "The place of the backups cannot be written to: see BACKUP_URL and BACKUP_KEYS_URL. Nothing of this one is left.",
  unrotated:
    "The backup is whole and kept, but older ones could not be removed: see BACKUP_URL and BACKUP_KEYS_URL. The log says why.",
  absent:
    "No process makes backups: start one (npm run start:backup, the service backup of docker-compose.yml), or let a timer of your system run npm run backup.",
  lost: "The process that makes backups ended in the middle, or cannot be reached. Nothing of this one is kept.",
  other: "The process that makes backups failed. The log says why. Nothing of this one is kept.",
};

/** Makes backups, one at a time. */
export class Backups {
  readonly #make: MakeBackup;
  #isBusy = false;

  constructor(make: MakeBackup) {
    this.#make = make;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** @throws {DomainError} `job_running`: another one is being made. */
  async make(signal: AbortSignal, run: BackupRun): Promise<BackupReport> {
    if (this.#isBusy)
      throw new DomainError(
        "job_running",
        "The daily backup is being made. Wait until it is done.",
      );
    this.#isBusy = true;
    try {
      return await this.#make(signal, run);
    } finally {
      this.#isBusy = false;
    }
  }
}

/** Bytes of the unit in which the job tells how much is written. */
const MEGABYTE = 1_000_000;

/**
 * Makes a backup now, and says what is in it and how many are kept. Meanwhile the job's progress is what is written, in megabytes.
 * @param outlives whether a backup goes on while no command-api wants it for a moment.
 */
export function createBackup(backups: Backups, outlives: boolean): SystemAction {
  return {
    name: "backup",
    // Otherwise what is half made was removed, or is by the next one.
    whenInterrupted: outlives ? "continue" : "fail",
    async run(run) {
      let told = 0;
      const wrote = (bytes: number) => {
        const written = Math.floor(bytes / MEGABYTE);
        if (written === told) return;
        told = written;
        // The run's signal says what went wrong.
        run.progress(written).catch(() => undefined);
      };
      const isLeft = () => outlives && (run.cause === "ending" || run.cause === "lost");
      const report = await backups.make(run.signal, { id: run.id, isLeft, wrote });
      run.signal.throwIfAborted();
      if (report.outcome === "failed") throw new DomainError("unavailable", WHY[report.reason]);
      const { name, events, files, bytes, kept, removed } = report;
      const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
      for (const message of [
        `${name}: ${counted(events, "event")}, ${counted(files, "file")}, ${size}.`,
        "It was read to its end, and so were its keys: it is whole.",
        `${counted(kept, "backup")} ${kept === 1 ? "is" : "are"} kept, and ${removed} of the older ones ${removed === 1 ? "was" : "were"} removed.`,
      ])
        await run.line({ target: name, outcome: "done", message });
      return events;
    },
  };
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
