import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** The backups, as last listed. */
export const BACKUPS = "/prod/api/system/backups";

/** Name of a backup in the usual locations; contains the time at which it was started. */
export const BACKUP_NAME = "^registry-[0-9a-z-]{1,60}$";

/**
 * `other_key`: needs a master key that is not available. Those after it lack an archive, or have two that do not
 * match.
 */
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
  /** RFC 3339; absent if no archive has it. */
  made_at: Type.Optional(Type.String()),
  /** Size of both archives. */
  bytes: Type.Integer({ minimum: 0 }),
  state: Type.Enum([...BACKUP_STATES]),
  /** Versions of the master key that it needs; more than one if it was made during a rotation. */
  key_versions: Type.Array(Type.Integer({ minimum: 1 })),
  /** Whether the current master key is enough. */
  current_key: Type.Boolean(),
  /** Whether a person started it; absent if no archive has it. */
  by_hand: Type.Optional(Type.Boolean()),
});
export type KeptBackup = Static<typeof KeptBackup>;

/** Maximum number of backups in a reply, newest first. */
export const MAX_BACKUPS = 500;

export const BackupList = strict({
  /** Locations of archives and keys, without credentials. */
  archives: Type.String(),
  keys: Type.String(),
  /** Newest first. */
  backups: Type.Array(KeptBackup, { maxItems: MAX_BACKUPS }),
});
export type BackupList = Static<typeof BackupList>;

/** GET /prod/api/system/backups. `list` is absent until one has been made. */
export const BackupListReply = reply(
  strict({
    /** RFC 3339 */
    listed_at: Type.Optional(Type.String()),
    list: Type.Optional(BackupList),
  }),
);
export type ListedBackups = Static<typeof BackupListReply>["data"];
