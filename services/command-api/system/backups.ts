import { DomainError } from "#contracts/domain-error.ts";
import type { BackupFailure, BackupReport } from "#operations/backup-report.ts";
import type { SystemAction } from "./system-action.ts";

/** Makes a backup in a process of its own. It ends soon after the signal, and then leaves nothing. Never rejects. */
export type MakeBackup = (signal: AbortSignal) => Promise<BackupReport>;

/** What a command-api needs to make backups. */
export interface BackupMeans {
  readonly make: MakeBackup;
  /** When the daily one is due unless admins have set it: hours and minutes in UTC, `02:00`. */
  readonly time: string;
}

const WHY: Readonly<Record<BackupFailure, string>> = {
  full: "The disk that keeps the backups is full: make room. Nothing of this one is left.",
  unwritable:
    "The place of the backups cannot be written to: see BACKUP_URL and BACKUP_KEYS_URL. Nothing of this one is left.",
  unrotated:
    "The backup is whole and kept, but older ones could not be removed: see BACKUP_URL and BACKUP_KEYS_URL. The log says why.",
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
  async make(signal: AbortSignal): Promise<BackupReport> {
    if (this.#isBusy)
      throw new DomainError(
        "job_running",
        "The daily backup is being made. Wait until it is done.",
      );
    this.#isBusy = true;
    try {
      return await this.#make(signal);
    } finally {
      this.#isBusy = false;
    }
  }
}

/** Makes a backup now, and says what is in it and how many are kept. */
export function createBackup(backups: Backups): SystemAction {
  return {
    name: "backup",
    // What is half made was removed, or is by the next one.
    whenInterrupted: "fail",
    async run(run) {
      const report = await backups.make(run.signal);
      if (run.signal.aborted) return undefined;
      if (report.outcome === "failed") throw new DomainError("unavailable", WHY[report.reason]);
      const { name, events, files, bytes, kept, removed } = report;
      const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
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
