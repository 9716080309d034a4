import { Type } from "typebox";
import { storeUrl } from "./schemas.ts";
import type { Variable } from "./variable.ts";

/** Where backups are kept, how many, and when they are due. */
export const backupVariables = {
  BACKUP_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "where backups are kept: the whole path of a folder as in `file:///mnt/backups`, or a bucket of S3 as for `FILES_URL`, which has to exist ([more](runbooks/backup.md))",
    readBy: ["launcher", "backup"],
    neededBy: ["backup"],
    otherwise: "`.data/backups`",
  },
  BACKUP_KEYS_URL: {
    schema: storeUrl("file", "s3"),
    meaning:
      "where the wrapped keys of backups are kept: a folder or a bucket apart from `BACKUP_URL`",
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
      "for how many days backups are kept, all of each day, unless admins have set another number under Settings; others are removed ([more](runbooks/backup.md))",
    readBy: ["launcher", "backup"],
    default: 7,
  },
  BACKUP_TIME: {
    schema: Type.String({
      pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
      must: "be hours and minutes as in 02:00",
    }),
    meaning:
      "when the daily backup is due, in UTC, while an admin has Auto Backup switched on, unless admins have set another time under Settings; one that was missed or interrupted is made at the next start",
    readBy: ["launcher", "command-api"],
    default: "02:00",
  },
} as const satisfies Record<string, Variable>;
