/** Starts actions on the whole registry, for admins. */
export const SYSTEM_ACTIONS_PATH = "/prod/api/system/actions";

/** Actions on the whole registry. The log stores the names, so they never change. */
export const SYSTEM_ACTIONS = {
  restart: "Restart System",
  backup: "Create Backup",
  "check-updates": "Check Updates",
  "clear-cache": "Clear Cache",
  "security-scan": "Security Scan",
} as const;
export type SystemActionName = keyof typeof SYSTEM_ACTIONS;
export const SYSTEM_ACTION_NAMES = Object.keys(SYSTEM_ACTIONS) as SystemActionName[];

/**
 * Name of a check of the log in the log itself. Its job is of the kind `log_check` and is started from the audit
 * log.
 */
export const LOG_CHECK_ACTION = "log-check";
/** Lists the backups again, and reads one completely if it is named. Started from the list of backups. */
export const BACKUP_CHECK_ACTION = "check-backups";
/** A logged action on the whole registry. */
export type LoggedActionName =
  | SystemActionName
  | typeof LOG_CHECK_ACTION
  | typeof BACKUP_CHECK_ACTION;

/** The commands that start and end an action, with their titles in the audit log. */
export const SYSTEM_COMMANDS = {
  StartSystemAction: "Start a system action",
  EndSystemAction: "End a system action",
} as const;
