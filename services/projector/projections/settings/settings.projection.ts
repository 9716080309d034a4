import { type SettingsEvent, settingsEvents, streams } from "#contracts/events/index.ts";
import {
  changesOf,
  evolveSettings,
  type SettingsState,
} from "#contracts/events/settings/settings-fold.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { PresentSettingsTable, SettingChanges } from "#read-model/tables/settings.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { ReadModel } from "../../keyed/read-model.ts";

/** The registry's settings, for query-api, which reads no log. */
export function settingsProjection(): Projection {
  return keyedProjection({
    name: "settings",
    schema: projectedSchemas.settings,
    models: [present],
    filter: { streamPrefixes: [streams.settings, LOG_STREAM] },
    opens: true,
    erasedBy: [],
  });
}

/** The row of `settings.present` as JSON. */
interface SettingsRow extends Omit<PresentSettingsTable, "state" | "changes"> {
  readonly state: SettingsState;
  readonly changes: SettingChanges;
}

/** The settings as they stand, and who last changed each. */
const present: ReadModel<SettingsRow, SettingsEvent["type"]> = {
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
