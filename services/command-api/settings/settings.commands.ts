import type { SettingValues } from "#contracts/settings/catalogue.ts";

/** The command of the registry's settings. */
export interface SettingsCommand {
  readonly type: "ChangeSettings";
  readonly changes: Partial<SettingValues>;
  /** Revision that the sender has seen; -1 before the first change. Absent: whatever is set now. */
  readonly seen: number | undefined;
  /** Accounts that are mailed of changes that concern them. */
  readonly admins: readonly string[];
}
