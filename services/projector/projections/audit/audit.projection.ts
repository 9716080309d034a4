import { projectedSchemas } from "#read-model/install.ts";
import type { Projection, ProjectionWriter } from "../../daemon/projection.ts";
import { areEmpty, outdatedSchema, rebuildSchema } from "../schema-projection.ts";
import { actorOf, entryOf } from "./audit-rows.ts";

function auditWriter(schema: string): ProjectionWriter {
  return {
    async apply(client, { events }) {
      await client.query(
        `insert into ${schema}.entry
         select * from json_populate_recordset(null::${schema}.entry, $1::json)`,
        [JSON.stringify(events.map(entryOf))],
      );
      const actors = events.flatMap((event) => actorOf(event) ?? []);
      if (actors.length === 0) return;
      await client.query(
        `insert into ${schema}.actor
         select * from json_populate_recordset(null::${schema}.actor, $1::json)
         on conflict do nothing`,
        [JSON.stringify(actors)],
      );
    },
    // The history of a deleted report stays; nothing in it can be opened any more.
    erase: async () => undefined,
  };
}

/** One line an event: who did what, when, from where. */
export function auditProjection(): Projection {
  const schema = projectedSchemas.audit;
  return {
    ...auditWriter(schema.name),
    name: "audit",
    filter: undefined,
    opens: false,
    takesUnknown: true,
    repeatable: true,
    keysOf: () => [],
    isEmpty: (client) => areEmpty(client, ["audit.entry", "audit.actor"]),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, auditWriter),
  };
}
