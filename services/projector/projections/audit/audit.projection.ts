import { projectedSchemas } from "#read-model/install.ts";
import type { Projection, ProjectionWriter } from "../../daemon/projection.ts";
import { copyRows, insertRows } from "../row-writes.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "../schema-projection.ts";
import { actorOf, type EntryRow, entryOf } from "./audit-rows.ts";

const ENTRY_COLUMNS = [
  "position",
  "event_id",
  "at",
  "actor_id",
  "actor_role",
  "command",
  "event_type",
  "stream",
  "revision",
  "schema_version",
  "status",
  "origin",
  "report_id",
  "client",
] as const satisfies readonly (keyof EntryRow)[];

function auditWriter(schema: string, { bulk = false }: WriterOptions = {}): ProjectionWriter {
  const entries = { name: `${schema}.entry`, columns: ENTRY_COLUMNS };
  return {
    async apply(client, { events }) {
      // Each event is a row of its own: none is there yet.
      const write = bulk ? copyRows : insertRows;
      await write(client, entries, events.map(entryOf));
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
    repeatable: true,
    keysOf: () => [],
    isEmpty: (client) => areEmpty(client, ["audit.entry", "audit.actor"]),
    isOfEarlierVersion: (sql) => isOfEarlierVersion(sql, schema),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, auditWriter),
  };
}
