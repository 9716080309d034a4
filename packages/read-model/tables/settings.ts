import type { SettingsState } from "#contracts/events/settings/settings-fold.ts";
import type { SettingName } from "#contracts/settings/catalogue.ts";
import type { Json } from "./column-types.ts";

/** The last change of each setting: ID of the account, RFC 3339 time. */
export type SettingChanges = Readonly<Partial<Record<SettingName, { by: string; at: string }>>>;

/** `settings.present`: state of the settings' stream. One row; none before the first change. */
export interface PresentSettingsTable {
  stream: string;
  state: Json<SettingsState>;
  changes: Json<SettingChanges>;
}

/** Incremented with every change to these tables, or to what the state holds. */
export const SETTINGS_LAYOUT = 1;

export function createSettingsTables(schema: string): string {
  return `
    create table ${schema}.present (
      stream text primary key,
      state jsonb not null,
      changes jsonb not null
    );
  `;
}
