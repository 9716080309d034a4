import type { KeptBackup } from "#contracts/http/backups.ts";
import { isEnded, type Job } from "#contracts/http/jobs.ts";

/** Whether a backup can be restored now, and with which key. */
export function stateWords({ state, key_versions, current_key }: KeptBackup): string {
  const versions = key_versions.join(" and ");
  switch (state) {
    case "opens":
      return current_key
        ? `Opens with the current key (version ${versions})`
        : `Opens with a previous key (version ${versions})`;
    case "other_key":
      return `Needs master key version ${versions}`;
    case "no_keys":
      return "Keys missing";
    case "no_archive":
      return "Archive missing";
    case "unreadable":
      return "Can't be read";
    case "mismatched":
      return "Archive and keys don't match";
  }
}

export function makerWords({ by_hand }: Pick<KeptBackup, "by_hand">): string {
  if (by_hand === undefined) return "Unknown";
  return by_hand ? "By hand" : "Scheduled";
}

/** "12.4 MB", as sizes of backups are told elsewhere. */
export function sizeWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** What a check of backups does or has come to. @param name of the one that is verified; all are listed without one. */
export function checkWords(name: string | undefined, job: Job | undefined): string {
  if (!job || !isEnded(job.state))
    return name ? `Verifying ${name}` : "Checking which backups are kept";
  if (job.state === "stopped")
    return name ? `${name} wasn't verified.` : "The list wasn't renewed.";
  if (job.state === "done")
    return name ? `${name} is whole and can be restored.` : "The list is up to date.";
  const what = name ? `Couldn't verify ${name}` : "Couldn't list the backups";
  return job.error ? `${what}: ${job.error.message}` : what;
}
