import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { SettingsEvent } from "#contracts/events/index.ts";
import { type SettingsState, storedName } from "#contracts/events/settings/settings-fold.ts";
import { MAX_NOTIFIED_ADMINS } from "#contracts/events/user/user-events.ts";
import {
  LIMITS_OFF_MS,
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
  settingRow,
} from "#contracts/settings/catalogue.ts";
import { type SettingValue, settingProblem, settingText } from "#contracts/settings/setting-row.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import type { Moment } from "../kernel/command.ts";

export interface SettingsCommand {
  readonly type: "ChangeSettings";
  readonly changes: Partial<SettingValues>;
  /** Revision that the sender has seen; -1 before the first change. If absent, changes whatever is set now. */
  readonly seen: number | undefined;
  /** Account IDs of the admins to notify of relevant changes. */
  readonly admins: readonly string[];
}

type Changes = Readonly<Partial<Record<SettingName, SettingValue>>>;

/** Decides changes to the registry's settings. */
export function decideSettings(
  state: SettingsState | undefined,
  { changes, seen, admins }: SettingsCommand,
  { now }: Moment,
): SettingsEvent[] {
  if (seen !== undefined && seen !== (state?.revision ?? -1)) throw changedMeanwhile(state, seen);
  const nowMs = Date.parse(now);
  const present = settingsAt(state, nowMs);
  const changed = differing(asStored(changes), present);
  const problems = Object.entries(changed).flatMap(([name, value]) => {
    const problem = settingProblem(settingRow(name as SettingName), value, nowMs);
    return problem ? [[name, problem] as const] : [];
  });
  if (problems.length > 0) throw refusalOf(Object.fromEntries(problems));
  return Object.keys(changed).length === 0 ? [] : [eventOf(changed, admins, nowMs)];
}

/** Normalizes times to UTC and codes to their defined order, as the log stores them. */
function asStored(changes: Changes): Changes {
  const stored = Object.entries(changes).map(([name, value]) => {
    const row = settingRow(name as SettingName);
    if (row.kind === "off") return [name, inOrder(value as readonly string[], row.choices)];
    if (row.kind !== "instant") return [name, value];
    const ms = Date.parse(String(value));
    return [name, Number.isNaN(ms) ? value : new Date(ms).toISOString()];
  });
  return Object.fromEntries(stored);
}

/** Removes duplicates. Keeps unknown codes, so that they are rejected. */
function inOrder(codes: readonly string[], choices: Readonly<Record<string, string>>): string[] {
  const known = Object.keys(choices).filter((code) => codes.includes(code));
  return [...known, ...codes.filter((code) => !known.includes(code))];
}

function differing(changes: Changes, present: Changes): Changes {
  const entries = Object.entries(changes) as [SettingName, SettingValue][];
  // Lists are compared by content.
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return Object.fromEntries(entries.filter(([name, value]) => !same(value, present[name])));
}

function eventOf(changed: Changes, admins: readonly string[], nowMs: number): SettingsEvent {
  const names = Object.keys(changed) as SettingName[];
  const stored = (which: (name: SettingName) => boolean) =>
    Object.fromEntries(names.filter(which).map((name) => [storedName(name), changed[name]]));
  const isText = (name: SettingName) => ["line", "address"].includes(settingRow(name).kind);
  const content = stored(isText);
  const isTold = admins.length > 0 && names.some((name) => settingRow(name).notifiesAdmins);
  const data = {
    ...stored((name) => !isText(name)),
    ...(changed.rateLimitEnabled === false
      ? { rate_limit_off_until: new Date(nowMs + LIMITS_OFF_MS).toISOString() }
      : {}),
    ...(isTold ? { told: admins.slice(0, MAX_NOTIFIED_ADMINS) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
  return { type: "SettingsChanged", data: data as SettingsEvent["data"] };
}

function changedMeanwhile(state: SettingsState | undefined, seen: number): DomainError {
  const since = SETTING_NAMES.filter((name) => (state?.changedBy[name] ?? -1) > seen);
  const fields = since.map((name) => [
    name,
    `${settingRow(name).label} was changed in the meantime: ${settingText(name, state?.values[name])}`,
  ]);
  return new DomainError(
    "settings_changed",
    "Someone else changed the settings in the meantime. Nothing was overwritten.",
    Object.fromEntries(fields),
  );
}
