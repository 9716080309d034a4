import { BackupSchedule, type ScheduleDeps } from "./backup-schedule.ts";
import { type BackupMeans, Backups } from "./backups.ts";

/** What makes backups, when an admin asks and each day; neither where only the operator's command does. */
export function openBackups(
  means: BackupMeans | undefined,
  deps: Pick<ScheduleDeps, "handler" | "isOn" | "log" | "pool">,
): { readonly backups: Backups | undefined; readonly schedule: BackupSchedule | undefined } {
  if (!means) return { backups: undefined, schedule: undefined };
  const backups = new Backups(means.make);
  return { backups, schedule: new BackupSchedule({ ...deps, backups, time: means.time }) };
}
