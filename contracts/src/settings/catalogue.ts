import { RETENTION_DAYS } from "../retention.ts";
import { REGISTRY_SETTINGS_ROWS, SYSTEM_SETTINGS_ROWS } from "./registry-settings.ts";
import type { SettingRow, ValueOf } from "./setting-row.ts";

/**
 * Every setting that has an effect, in the order of the forms. The names are those of the wire; the
 * log has them in lower case with underscores.
 */
export const SETTINGS = { ...SYSTEM_SETTINGS_ROWS, ...REGISTRY_SETTINGS_ROWS } as const;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
const namesOf = <R extends object>(rows: R) => Object.keys(rows) as (keyof R)[];
export const SETTING_NAMES: readonly SettingName[] = namesOf(SETTINGS);
/** Those of the page of the system. */
export const SYSTEM_SETTING_NAMES: readonly SettingName[] = namesOf(SYSTEM_SETTINGS_ROWS);

/** A value for each setting. */
export type SettingValues = { readonly [N in SettingName]: ValueOf<Rows[N]> };

/** The row of a setting, whichever it is. */
export const settingRow = (name: SettingName): SettingRow => SETTINGS[name];

/** What applies until somebody changes it. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].default]),
) as unknown as SettingValues;

/** How long reading and searching can stay without limits, in milliseconds. */
export const LIMITS_OFF_MS = 3_600_000;

/** What the banner says when no message was written. */
export const MAINTENANCE_SENTENCE =
  "The registry is under maintenance. You can read and search, but you can't send anything right now.";

/** Days by what is kept. */
export type KeptDays = Readonly<Record<keyof typeof RETENTION_DAYS, number>>;

/** How long things are kept under these settings. */
export function keptDays(settings: SettingValues): KeptDays {
  return {
    ...RETENTION_DAYS,
    unconfirmed_account: settings.keepUnconfirmedAccounts,
    unconfirmed_report: settings.keepUnconfirmedReports,
    rejected_report: settings.keepRejectedReports,
    inquiry: settings.keepInquiries,
    security_event: settings.keepSecurityEvents,
  };
}
