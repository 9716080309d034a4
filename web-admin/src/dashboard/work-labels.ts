import type { BackupList } from "#contracts/http/backups.ts";
import type { OpenWork } from "#contracts/http/sessions.ts";
import { formatAge, formatCount } from "../shared/formats.ts";

/** Returns e.g. "Oldest 49 d". @param since when the oldest item started waiting. */
export function oldestNote(since: string | undefined, now: number): string {
  return since ? `Oldest ${ageOf(since, now)}` : "Nothing is waiting";
}

/** Returns e.g. "First due in 3 h", "2 late" or "None open". */
export function dueNote({ count, late, due }: OpenWork, now: number): string {
  if (count === 0) return "None open";
  if (late > 0) return `${formatCount(late)} late`;
  return due ? `First due in ${formatAge(Math.max(0, Date.parse(due) - now))}` : "Open";
}

/** Age in milliseconds at which the newest backup is overdue: a day plus some hours for a late daily run. */
const OLD_MS = 36 * 3_600_000;

/** Returns the age of the newest backup, how many there are, and whether a new one is due. */
export function backupState(
  list: BackupList | undefined,
  now: number,
): { readonly value: string; readonly note: string; readonly isDue: boolean } {
  const [newest] = list?.backups ?? [];
  if (!list || !newest) return { value: "None", note: "No backups found", isDue: true };
  const { made_at, state } = newest;
  const isWhole = state === "opens";
  return {
    value: made_at ? `${ageOf(made_at, now)} ago` : "Unknown",
    note: isWhole
      ? `Can be restored, ${formatCount(list.backups.length)} kept`
      : "Can't be restored",
    isDue: !isWhole || !made_at || now - Date.parse(made_at) > OLD_MS,
  };
}

const ageOf = (at: string, now: number) => formatAge(Math.max(0, now - Date.parse(at)));
