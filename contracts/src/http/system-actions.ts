import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTION_NAMES } from "../system/actions.ts";
import { BACKUP_NAME } from "./backups.ts";

/** POST /prod/api/system/actions. It answers with a job's id. */
export const SystemActionBody = strict({
  action: Type.Enum([...SYSTEM_ACTION_NAMES, BACKUP_CHECK_ACTION]),
  /** Which backup is read to its end; for a check of backups alone. */
  backup: Type.Optional(Type.String({ pattern: BACKUP_NAME })),
});
export type SystemActionBody = Static<typeof SystemActionBody>;
