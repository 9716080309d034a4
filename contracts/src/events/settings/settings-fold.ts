import { SETTING_NAMES, type SettingName, type SettingValues } from "../../settings/catalogue.ts";
import type { SettingsEvent } from "../index.ts";

/** The settings, as recorded in their stream. */
export interface SettingsState {
  /** Latest value of each setting that was ever set. */
  readonly values: Partial<SettingValues>;
  /** When rate limits are back; may be in the past. */
  readonly rateLimitOffUntil?: string;
  /** Revision of the event that last changed each setting. */
  readonly changedBy: Readonly<Partial<Record<SettingName, number>>>;
  /** Revision of the last event. */
  readonly revision: number;
}

/** Applies one event to the settings. */
export function evolveSettings(
  state: SettingsState | undefined,
  event: SettingsEvent,
): SettingsState {
  const before = state ?? { values: {}, changedBy: {}, revision: -1 };
  const revision = before.revision + 1;
  const changed = changesOf(event);
  const until = event.data.rate_limit_off_until ?? before.rateLimitOffUntil;
  return {
    values: { ...before.values, ...changed },
    ...(until === undefined ? {} : { rateLimitOffUntil: until }),
    changedBy: {
      ...before.changedBy,
      ...Object.fromEntries(Object.keys(changed).map((name) => [name, revision])),
    },
    revision,
  };
}

/** Returns the settings that an event changes, by wire name. */
export function changesOf({ data }: SettingsEvent): Partial<SettingValues> {
  const { content, ...clear } = data;
  const stored: Readonly<Record<string, unknown>> = {
    ...clear,
    // A message whose key was destroyed reads as empty.
    ...(content === null ? { maintenance_message: "" } : content),
  };
  const changed = SETTING_NAMES.flatMap((name) => {
    const value = stored[storedName(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(changed);
}

/** Returns a setting's name in the log: `autoBackup` becomes `auto_backup`. */
export function storedName(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
