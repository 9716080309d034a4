import type { ChangeSettings, SystemSettings } from "#contracts/http/settings.ts";
import { SETTING_NAMES, type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { type SettingValue, settingProblem, settingText } from "#contracts/settings/setting-row.ts";
import { formatInstant } from "../shared/formats.ts";
import { typedSince } from "../shared/versions/use-checked-form.ts";

/**
 * The form's values: booleans for switches, strings for everything else. Times are in the reader's time zone, and
 * turned-off codes are separated by commas.
 */
export type SettingForm = Record<SettingName, boolean | string>;

/** Converts settings to the form's values. */
export function formOf(settings: SystemSettings): SettingForm {
  const shown = SETTING_NAMES.map((name) => [name, typed(name, settings[name])]);
  return Object.fromEntries(shown) as SettingForm;
}

function typed(name: SettingName, value: SettingValue): boolean | string {
  if (typeof value === "boolean") return value;
  const row = settingRow(name);
  if (row.kind === "whole" && row.orNone && value === 0) return "";
  return row.kind === "instant" ? localTime(String(value)) : String(value);
}

/** Formats a time as "2026-05-02T14:05" in the reader's time zone, for browser inputs. */
function localTime(instant: string): string {
  if (instant === "") return "";
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the settings whose fields differ. */
export function changedFields(before: SettingForm, after: SettingForm): SettingName[] {
  return SETTING_NAMES.filter((name) => before[name] !== after[name]);
}

/** Builds the request: the fields that differ from `opened`, whose revision is `revision`. */
export function changeOf(opened: SettingForm, form: SettingForm, revision: number): ChangeSettings {
  const sent = changedFields(opened, form).map((name) => [name, sentValue(name, form[name])]);
  return { ...Object.fromEntries(sent), revision };
}

function sentValue(name: SettingName, value: boolean | string): SettingValue {
  const { kind } = settingRow(name);
  if (kind === "whole") return Number(value);
  if (kind === "off") return codesOf(String(value));
  if (kind === "instant" && value !== "") return new Date(String(value)).toISOString();
  return typeof value === "string" && kind === "address" ? value.trim() : value;
}

/** Splits the form's text into codes. */
export const codesOf = (typed: string): string[] => typed.split(",").filter(Boolean);

/** Returns why a value can't be sent; undefined if it can. The server makes the final decision. */
export function problemWith(name: SettingName, value: boolean | string): string | undefined {
  const row = settingRow(name);
  // Only the server compares with the clock. Browsers allow six-digit years, which don't parse as a date.
  if (row.kind === "instant")
    return value === "" || isDate(value) ? undefined : settingProblem(row, value, 0);
  // Only decimal digits count as a number, unlike in JavaScript.
  const isNumber =
    row.kind !== "whole" || (row.orNone && value === "") || /^\d+$/.test(String(value));
  return settingProblem(row, isNumber ? sentValue(name, value) : Number.NaN, 0);
}

const isDate = (typed: boolean | string) => !Number.isNaN(Date.parse(String(typed)));

/** Returns the settings with a shorter retention than before, which permanently deletes older data. */
export function shortened(before: SettingForm, after: SettingForm): SettingName[] {
  return changedFields(before, after).filter((name) => {
    const row = settingRow(name);
    return (
      row.kind === "whole" && row.unit === "days" && Number(after[name]) < Number(before[name])
    );
  });
}

/**
 * Merges the form after a concurrent change: theirs, except where something was typed here.
 * @param opened what both started with.
 */
export function mergedForm(
  opened: SettingForm,
  mine: SettingForm,
  theirs: SettingForm,
): SettingForm {
  return { ...theirs, ...typedSince(opened, mine) };
}

/** Formats a value: "on", "10 MB", "none"; times in the reader's time zone with its name; texts in quotes. */
export function valueText(name: SettingName, value: boolean | string): string {
  const { kind } = settingRow(name);
  if (kind === "instant" && isDate(value))
    return formatInstant(new Date(String(value)).toISOString());
  if (kind === "line" && value !== "") return `“${value}”`;
  return settingText(name, sentValue(name, value));
}

/** Explains the consequence of a shorter retention. */
export function shortenedText(names: readonly SettingName[], values: SettingForm): string {
  const parts = names.map((name) => `${settingRow(name).label}: ${values[name]} days`);
  return `${parts.join("; ")}. Older data is permanently deleted within an hour. This can't be undone.`;
}
