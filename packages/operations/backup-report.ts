/**
 * Why no backup was made, or `unrotated`: it was, and older ones could not be removed. What is wrong otherwise is in
 * the log of the process that made it.
 */
export type BackupFailure = "full" | "unwritable" | "unrotated" | "other";

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
