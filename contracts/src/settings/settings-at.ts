import type { SettingsState } from "../events/settings/settings-fold.ts";
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
  settingRow,
} from "./catalogue.ts";

/** The settings as they apply at a moment. */
export type Settings = SettingValues & {
  /** When limits come back; absent while they apply. */
  readonly rateLimitOffUntil?: string;
};

/**
 * What applies at a moment: what was set, within the bounds that this version keeps to.
 * @param state undefined while nobody has changed anything.
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

/** A newer version may have stored a number that this one cannot keep to. */
function within(name: SettingName, value: unknown): unknown {
  const row = settingRow(name);
  if (value === undefined) return row.default;
  if (row.kind !== "whole" || typeof value !== "number") return value;
  return Math.min(Math.max(value, row.least), row.most);
}
