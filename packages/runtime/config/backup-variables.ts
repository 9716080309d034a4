import { Type } from "typebox";
import { storeUrl } from "./schemas.ts";
import type { Variable } from "./variable.ts";

/** Where backups are kept, how many, and when they are due. */
export const backupVariables = {
  BACKUP_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "place of backups: an absolute path of a folder (`file:///mnt/backups`), or an existing S3 bucket as in `FILES_URL` ([more](runbooks/backup.md))",
    readBy: ["launcher", "backup"],
    neededBy: ["backup"],
    otherwise: "`.data/backups`",
  },
  BACKUP_KEYS_URL: {
    schema: storeUrl("file", "s3"),
    meaning: "place of the backups' wrapped keys: a folder or bucket apart from `BACKUP_URL`",
    readBy: ["launcher", "backup"],
    neededBy: ["backup"],
    otherwise: "`.data/backup-keys`",
  },
  BACKUP_KEEP: {
    schema: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      must: "be a whole number from 1 to 10000",
    }),
    meaning:
      "number of days for which all backups are kept; older ones are removed. Admins can change it under Settings ([more](runbooks/backup.md#how-long-backups-stay))",
    readBy: ["launcher", "backup"],
    default: 7,
  },
  BACKUP_TIME: {
    schema: Type.String({
      pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
      must: "be hours and minutes as in 02:00",
    }),
    meaning:
      "time of the daily backup (UTC) while Auto Backup is on. Admins can change it under Settings. A missed or interrupted backup is made at the next start",
    readBy: ["launcher", "command-api"],
    default: "02:00",
  },
} as const satisfies Record<string, Variable>;
