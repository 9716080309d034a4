import type { ChangeSettings, SystemSettings } from "#contracts/http/settings.ts";
import { SETTING_NAMES, type SettingName, settingRow } from "#contracts/settings/catalogue.ts";

/** The form: switches as they are, everything else as it is typed. Moments are in the reader's zone. */
export type SettingForm = Record<SettingName, boolean | string>;

/** What the form shows of settings. */
export function formOf(settings: SystemSettings): SettingForm {
  const shown = SETTING_NAMES.map((name) => [name, typed(name, settings[name])]);
  return Object.fromEntries(shown) as SettingForm;
}

function typed(name: SettingName, value: boolean | number | string): boolean | string {
  if (typeof value === "boolean") return value;
  return settingRow(name).kind === "instant" ? localTime(String(value)) : String(value);
}

/** "2026-05-02T14:05" in the reader's zone, as browsers ask for it. */
function localTime(instant: string): string {
  if (instant === "") return "";
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The settings whose fields differ. */
export function changedFields(before: SettingForm, after: SettingForm): SettingName[] {
  return SETTING_NAMES.filter((name) => before[name] !== after[name]);
}

/** What is sent: the fields that differ from what was opened, which `revision` names. */
export function changeOf(opened: SettingForm, form: SettingForm, revision: number): ChangeSettings {
  const sent = changedFields(opened, form).map((name) => [name, sentValue(name, form[name])]);
  return { ...Object.fromEntries(sent), revision };
}

function sentValue(name: SettingName, value: boolean | string): boolean | number | string {
  const { kind } = settingRow(name);
  if (kind === "whole") return Number(value);
  if (kind === "instant" && value !== "") return new Date(String(value)).toISOString();
  return value;
}

/** Why what is typed cannot be sent; undefined if it can. The server has the last word. */
export function problemWith(name: SettingName, value: boolean | string): string | undefined {
  const row = settingRow(name);
  if (row.kind !== "whole") return undefined;
  const number = Number(value);
  const fits = /^\d+$/.test(String(value)) && number >= row.least && number <= row.most;
  return fits
    ? undefined
    : `${row.label} must be a whole number from ${row.least} to ${row.most} ${row.unit}`;
}

/**
 * What the form becomes when somebody else was first: theirs where nothing was typed here.
 * @param opened what both began with.
 */
export function mergedForm(
  opened: SettingForm,
  mine: SettingForm,
  theirs: SettingForm,
): SettingForm {
  const merged = SETTING_NAMES.map((name) => [
    name,
    mine[name] === opened[name] ? theirs[name] : mine[name],
  ]);
  return Object.fromEntries(merged) as SettingForm;
}

/** "On", "10 MB", "none". */
export function valueInWords(name: SettingName, value: boolean | string): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  const row = settingRow(name);
  if (value === "") return "none";
  if (row.kind === "whole") return `${value} ${row.unit}`;
  return row.kind === "instant" ? value.replace("T", ", ") : `“${value}”`;
}
