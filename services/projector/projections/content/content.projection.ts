import { CONTENT_END } from "#contracts/events/content.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { items } from "./content-row.ts";

/** The registry's texts as they stand: the draft, and what is public. */
export function contentProjection(): Projection {
  return keyedProjection({
    name: "content",
    schema: projectedSchemas.content,
    models: [items],
    filter: { streamPrefixes: ["content-", LOG_STREAM] },
    opens: true,
    erasedBy: [CONTENT_END],
  });
}
