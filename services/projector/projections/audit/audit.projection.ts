import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { actors, entries } from "./audit-rows.ts";

/** Who did what, when and from where: one entry for each event, and how many there are of each kind. */
export function auditProjection(): Projection {
  return keyedProjection({
    name: "audit",
    schema: projectedSchemas.audit,
    models: [entries, actors],
    filter: undefined,
    opens: false,
    // The history of a deleted report stays, but none of its sealed data can be opened any more.
    erasedBy: [],
  });
}
