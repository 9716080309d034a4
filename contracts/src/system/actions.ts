/** Where admins start what operators do with the registry as a whole. */
export const SYSTEM_ACTIONS_PATH = "/prod/api/system/actions";

/** What an admin can have done with the whole registry. The log stores the names, so they never change. */
export const SYSTEM_ACTIONS = {
  restart: "Restart System",
  backup: "Create Backup",
  "check-updates": "Check Updates",
  "clear-cache": "Clear Cache",
  "security-scan": "Security Scan",
} as const;
export type SystemActionName = keyof typeof SYSTEM_ACTIONS;
export const SYSTEM_ACTION_NAMES = Object.keys(SYSTEM_ACTIONS) as SystemActionName[];

/** What the log calls a check of itself. Its job is of the kind `log_check`, and it is begun from the audit log. */
export const LOG_CHECK_ACTION = "log-check";
/** Lists the backups again, and reads one to its end where it is named. It is begun from the list of backups. */
export const BACKUP_CHECK_ACTION = "check-backups";
/** What is done with the registry as a whole and stands in the log. */
export type LoggedActionName =
  | SystemActionName
  | typeof LOG_CHECK_ACTION
  | typeof BACKUP_CHECK_ACTION;

/** The commands by which an action begins and ends, with the words of the audit log. */
export const SYSTEM_COMMANDS = {
  StartSystemAction: "Start a system action",
  EndSystemAction: "End a system action",
} as const;
