import { type SettingsEvent, settingsEvents, streams } from "#contracts/events/index.ts";
import {
  changesOf,
  evolveSettings,
  type SettingsState,
} from "#contracts/events/settings/settings-fold.ts";
import type { PresentSettingsTable, SettingChanges } from "#read-model/tables/settings.ts";
import type { ReadModel } from "../../keyed/read-model.ts";

/** The row of `settings.present` as JSON. */
export interface SettingsRow extends Omit<PresentSettingsTable, "state" | "changes"> {
  readonly state: SettingsState;
  readonly changes: SettingChanges;
}

/** The settings as they stand, and who last changed each. */
export const present: ReadModel<SettingsRow, SettingsEvent["type"]> = {
  table: { name: "present", columns: ["stream", "state", "changes"] },
  handles: settingsEvents.map(({ type }) => type),
  keyOf: ({ stream }) => (stream === streams.settings ? stream : undefined),
  evolve(row, { key, event, stored }) {
    const { actor, time } = stored.metadata;
    const changed = Object.keys(changesOf(event)).map((name) => [name, { by: actor.id, at: time }]);
    return {
      stream: key,
      state: evolveSettings(row?.state, event),
      changes: { ...row?.changes, ...Object.fromEntries(changed) },
    };
  },
};
