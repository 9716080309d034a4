import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { actors, entries } from "./audit-rows.ts";

/** One line an event: who did what, when, from where. */
export function auditProjection(): Projection {
  return keyedProjection({
    name: "audit",
    schema: projectedSchemas.audit,
    models: [entries, actors],
    filter: undefined,
    opens: false,
    // The history of a deleted report stays; nothing in it can be opened any more.
    erasedBy: [],
  });
}
