import type { ChangeSettings, SystemSettings } from "#contracts/http/settings.ts";
import { SETTING_NAMES, type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import {
  type SettingValue,
  settingInWords,
  settingProblem,
} from "#contracts/settings/setting-row.ts";
import { formatInstant } from "../shared/formats.ts";
import { typedSince } from "../shared/versions/use-checked-form.ts";

/**
 * The form: switches as they are, everything else as it is typed. Moments are in the reader's zone, and codes
 * that are switched off have commas between.
 */
export type SettingForm = Record<SettingName, boolean | string>;

/** What the form shows of settings. */
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

function sentValue(name: SettingName, value: boolean | string): SettingValue {
  const { kind } = settingRow(name);
  if (kind === "whole") return Number(value);
  if (kind === "off") return codesOf(String(value));
  if (kind === "instant" && value !== "") return new Date(String(value)).toISOString();
  return typeof value === "string" && kind === "address" ? value.trim() : value;
}

/** Codes of the form's text. */
export const codesOf = (typed: string): string[] => typed.split(",").filter(Boolean);

/** Why what is typed cannot be sent; undefined if it can. The server has the last word. */
export function problemWith(name: SettingName, value: boolean | string): string | undefined {
  const row = settingRow(name);
  // The clock that counts is the server's. Browsers take years of six digits, and then it is no date.
  if (row.kind === "instant")
    return value === "" || isDate(value) ? undefined : settingProblem(row, value, 0);
  // What is no number in decimal digits is none, whatever JavaScript makes of it.
  const isNumber =
    row.kind !== "whole" || (row.orNone && value === "") || /^\d+$/.test(String(value));
  return settingProblem(row, isNumber ? sentValue(name, value) : Number.NaN, 0);
}

const isDate = (typed: boolean | string) => !Number.isNaN(Date.parse(String(typed)));

/** Things of which less is kept than before: what is older goes for good. */
export function shortened(before: SettingForm, after: SettingForm): SettingName[] {
  return changedFields(before, after).filter((name) => {
    const row = settingRow(name);
    return (
      row.kind === "whole" && row.unit === "days" && Number(after[name]) < Number(before[name])
    );
  });
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
  return { ...theirs, ...typedSince(opened, mine) };
}

/** "on", "10 MB", "none"; moments in the reader's zone, with its name; texts as they are typed. */
export function valueInWords(name: SettingName, value: boolean | string): string {
  const { kind } = settingRow(name);
  if (kind === "instant" && isDate(value))
    return formatInstant(new Date(String(value)).toISOString());
  if (kind === "line" && value !== "") return `“${value}”`;
  return settingInWords(name, sentValue(name, value));
}

/** What follows when less is kept than before. */
export function shortenedWords(names: readonly SettingName[], values: SettingForm): string {
  const parts = names.map((name) => `${settingRow(name).label}: ${values[name]} days`);
  return `${parts.join("; ")}. Older data is permanently deleted within an hour. This can't be undone.`;
}
