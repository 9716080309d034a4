import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** The backups as they were last listed. */
export const BACKUPS = "/prod/api/system/backups";

/** A name in the usual places, with the time at which the backup was begun. */
export const BACKUP_NAME = "^registry-[0-9a-z-]{1,60}$";

/** `opens`, `other_key` (needs a master key that is not there); the others lack an archive, or have two that differ. */
const BACKUP_STATES = [
  "opens",
  "other_key",
  "no_keys",
  "no_archive",
  "unreadable",
  "mismatched",
] as const;

export const KeptBackup = strict({
  name: Type.String({ pattern: BACKUP_NAME }),
  /** RFC 3339; absent where no archive says it. */
  made_at: Type.Optional(Type.String()),
  /** Of both archives. */
  bytes: Type.Integer({ minimum: 0 }),
  state: Type.Enum([...BACKUP_STATES]),
  /** Versions of the master key that it needs: more than one if it was made during a rotation. */
  key_versions: Type.Array(Type.Integer({ minimum: 1 })),
  /** Whether the current master key is enough. */
  current_key: Type.Boolean(),
  /** Whether a person asked for it; absent where no archive says it. */
  by_hand: Type.Optional(Type.Boolean()),
});
export type KeptBackup = Static<typeof KeptBackup>;

/** Most backups that a reply lists, the newest. */
export const MOST_BACKUPS = 500;

export const BackupList = strict({
  /** Where archives and keys are, without credentials. */
  archives: Type.String(),
  keys: Type.String(),
  /** The newest first. */
  backups: Type.Array(KeptBackup, { maxItems: MOST_BACKUPS }),
});
export type BackupList = Static<typeof BackupList>;

/** GET /prod/api/system/backups. Without a list, none was made yet. */
export const BackupListReply = reply(
  strict({
    /** RFC 3339 */
    listed_at: Type.Optional(Type.String()),
    list: Type.Optional(BackupList),
  }),
);
export type ListedBackups = Static<typeof BackupListReply>["data"];
