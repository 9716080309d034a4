/** Where admins read and change the settings. */
export const SYSTEM_SETTINGS = "/prod/api/system/settings";

/** The command that changes settings. The log keeps its name for ever. */
export const CHANGE_SETTINGS = {
  type: "ChangeSettings",
  title: "Change settings",
  done: "Settings saved successfully",
} as const;
