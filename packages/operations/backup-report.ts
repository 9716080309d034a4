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
      /** Size of both. */
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
