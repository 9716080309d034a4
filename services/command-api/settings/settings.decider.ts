import { DomainError } from "#contracts/domain-error.ts";
import type { SettingsEvent } from "#contracts/events/index.ts";
import { type SettingsState, storedName } from "#contracts/events/settings/settings-fold.ts";
import {
  LIMITS_OFF_MS,
  SETTING_NAMES,
  type SettingName,
  type SettingRow,
  settingRow,
} from "#contracts/settings/catalogue.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import type { Moment } from "../kernel/command.ts";
import type { SettingsCommand } from "./settings.commands.ts";

const DAY_MS = 24 * 3_600_000;

type Changes = Readonly<Partial<Record<SettingName, boolean | number | string>>>;

/** Decides about the registry's settings. */
export function decideSettings(
  state: SettingsState | undefined,
  { changes, seen }: SettingsCommand,
  { now }: Moment,
): SettingsEvent[] {
  if (seen !== undefined && seen !== (state?.revision ?? -1)) throw changedMeanwhile(state, seen);
  const nowMs = Date.parse(now);
  const present = settingsAt(state, nowMs);
  const changed = differing(asStored(changes), present);
  const problems = Object.entries(changed).flatMap(([name, value]) => {
    const problem = problemOf(settingRow(name as SettingName), value, nowMs);
    return problem ? [[name, problem] as const] : [];
  });
  if (problems[0])
    throw new DomainError("invalid_request", problems[0][1], Object.fromEntries(problems));
  return Object.keys(changed).length === 0 ? [] : [eventOf(changed, nowMs)];
}

/** Moments as the log keeps them, whatever the zone in which they were sent. */
function asStored(changes: Changes): Changes {
  const stored = Object.entries(changes).map(([name, value]) => {
    if (settingRow(name as SettingName).kind !== "instant") return [name, value];
    const ms = Date.parse(String(value));
    return [name, Number.isNaN(ms) ? value : new Date(ms).toISOString()];
  });
  return Object.fromEntries(stored);
}

function differing(changes: Changes, present: Changes): Changes {
  const entries = Object.entries(changes) as [SettingName, boolean | number | string][];
  return Object.fromEntries(entries.filter(([name, value]) => value !== present[name]));
}

/** Why a value cannot be set; undefined if it can. */
function problemOf(row: SettingRow, value: unknown, nowMs: number): string | undefined {
  switch (row.kind) {
    case "switch":
      return undefined;
    case "whole": {
      const { least, most, unit } = row;
      const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
      return fits
        ? undefined
        : `${row.label} must be a whole number from ${least} to ${most} ${unit}`;
    }
    case "line":
      return String(value).length > row.most
        ? `${row.label} may have ${row.most} characters`
        : undefined;
    case "instant": {
      if (value === "") return undefined;
      const ms = Date.parse(String(value));
      if (Number.isNaN(ms)) return `${row.label} must be a date and time`;
      if (ms <= nowMs) return `${row.label} must be in the future`;
      return ms > nowMs + row.mostDays * DAY_MS
        ? `${row.label} may be at most ${row.mostDays} days ahead`
        : undefined;
    }
  }
}

function eventOf(changed: Changes, nowMs: number): SettingsEvent {
  const { maintenanceMessage, ...clear } = changed;
  const stored = Object.entries(clear).map(([name, value]) => [
    storedName(name as SettingName),
    value,
  ]);
  const data = {
    ...Object.fromEntries(stored),
    ...(changed.rateLimitEnabled === false
      ? { rate_limit_off_until: new Date(nowMs + LIMITS_OFF_MS).toISOString() }
      : {}),
    ...(maintenanceMessage === undefined
      ? {}
      : { content: { maintenance_message: maintenanceMessage } }),
  };
  return { type: "SettingsChanged", data: data as SettingsEvent["data"] };
}

function changedMeanwhile(state: SettingsState | undefined, seen: number): DomainError {
  const since = SETTING_NAMES.filter((name) => (state?.changedBy[name] ?? -1) > seen);
  const fields = since.map((name) => [
    name,
    `${settingRow(name).label} was changed meanwhile: ${inWords(state?.values[name])}`,
  ]);
  return new DomainError(
    "settings_changed",
    "Somebody else has changed the settings meanwhile. Nothing was overwritten.",
    Object.fromEntries(fields),
  );
}

function inWords(value: boolean | number | string | undefined): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return value === undefined || value === "" ? "none" : String(value);
}
