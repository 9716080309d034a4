import { streams } from "#contracts/events/index.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { present } from "./settings-row.ts";

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
