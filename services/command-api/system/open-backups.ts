import type { Pool } from "pg";
import type { Settings } from "#contracts/settings/settings-at.ts";
import { askedBackups } from "./asked-backups.ts";
import { BackupSchedule, type ScheduleDeps } from "./backup-schedule.ts";
import { type BackupMeans, Backups } from "./backups.ts";

/** What makes backups, when an admin asks and each day; neither where only the operator's command does. */
export function openBackups(
  means: BackupMeans | undefined,
  {
    settings,
    ...deps
  }: Pick<ScheduleDeps, "handler" | "log"> & {
    readonly pool: Pick<Pool, "connect" | "query">;
    readonly settings: () => Settings;
  },
): { readonly backups: Backups | undefined; readonly schedule: BackupSchedule | undefined } {
  if (!means) return { backups: undefined, schedule: undefined };
  const { pool, log } = deps;
  const backups = new Backups(means.make ?? askedBackups({ pool, log }));
  const schedule = new BackupSchedule({
    ...deps,
    backups,
    isOn: () => settings().autoBackup,
    time: () => settings().backupTime || means.time,
  });
  return { backups, schedule };
}
