import type { SettingsState } from "../events/settings/settings-fold.ts";
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
  settingRow,
} from "./catalogue.ts";

/** The settings in effect at a given time. */
export type Settings = SettingValues & {
  /** When rate limits are back; absent while they apply. */
  readonly rateLimitOffUntil?: string;
};

/**
 * Returns the settings in effect: the stored values, within this version's bounds.
 * @param state undefined if no one has changed anything.
 * @param nowMs milliseconds since the epoch.
 */
export function settingsAt(
  state: Pick<SettingsState, "values" | "rateLimitOffUntil"> | undefined,
  nowMs: number,
): Settings {
  const { values = {}, rateLimitOffUntil } = state ?? {};
  const kept = SETTING_NAMES.map((name) => [name, within(name, values[name])]);
  const settings = { ...DEFAULT_SETTINGS, ...Object.fromEntries(kept) } as SettingValues;
  if (settings.rateLimitEnabled) return settings;
  const isOver = rateLimitOffUntil === undefined || Date.parse(rateLimitOffUntil) <= nowMs;
  return isOver ? { ...settings, rateLimitEnabled: true } : { ...settings, rateLimitOffUntil };
}

/** Another version may have stored a value that this one does not support. */
function within(name: SettingName, value: unknown): unknown {
  const row = settingRow(name);
  if (value === undefined) return row.default;
  switch (row.kind) {
    case "whole": {
      const number = Number(value);
      if (row.orNone && number === 0) return 0;
      return Math.min(Math.max(number, row.least), row.most);
    }
    case "choice":
      return Object.hasOwn(row.choices, String(value)) ? value : row.default;
    case "off":
      return Object.keys(row.choices).filter((code) => (value as readonly string[]).includes(code));
    default:
      return value;
  }
}

/** The settings, for admins. */
export const SYSTEM_SETTINGS = "/prod/api/system/settings";

/** The command that changes settings. The log keeps its name forever. */
export const CHANGE_SETTINGS = {
  type: "ChangeSettings",
  title: "Change settings",
  done: "Settings saved successfully",
} as const;
