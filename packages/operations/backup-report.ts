/**
 * Why no backup was made, or `unrotated`: it was, and older ones could not be removed. `absent`: no process makes
 * backups; `lost`: the one that did ended in the middle. What is wrong otherwise is in the log of the process that made it.
 */
export type BackupFailure = "full" | "unwritable" | "unrotated" | "absent" | "lost" | "other";

/** What the process that makes a backup says at its end to the one that began it. */
export type BackupReport =
  | {
      readonly outcome: "made";
      /** Of both archives. They were read to their ends. */
      readonly name: string;
      readonly events: number;
      readonly files: number;
      /** Size of the archive without its keys. */
      readonly bytes: number;
      /** Older backups that were removed, and all that are there now. */
      readonly removed: number;
      readonly kept: number;
    }
  | { readonly outcome: "failed"; readonly reason: BackupFailure };

/** What it says before: the size of the archive so far. */
export interface BackupProgress {
  readonly outcome: "writing";
  readonly bytes: number;
}

/** A backup as whoever wants it sees it. */
export interface BackupRun {
  /** Of the action of the system. */
  readonly id: string;
  /** Whether somebody else goes on wanting it after the signal. */
  readonly isLeft: () => boolean;
  /** Told now and then how many bytes are written. */
  readonly wrote: (bytes: number) => void;
}

/** Makes a backup in another process. It ends soon after the signal, and then leaves nothing. Never rejects. */
export type MakeBackup = (signal: AbortSignal, run: BackupRun) => Promise<BackupReport>;
