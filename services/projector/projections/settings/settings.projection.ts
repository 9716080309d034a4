import { type SettingsEvent, settingsEvents, streams } from "#contracts/events/index.ts";
import { changesOf, evolveSettings } from "#contracts/events/settings/settings-fold.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { PresentSettingsTable } from "#read-model/tables/settings.ts";
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

/** The current settings, and who last changed each. */
const present: ReadModel<JsonRow<PresentSettingsTable>, SettingsEvent["type"]> = {
  table: { name: "present", key: "stream" },
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
