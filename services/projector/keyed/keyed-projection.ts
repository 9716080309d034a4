import type pg from "pg";
import type { ProjectedSchema } from "#read-model/install.ts";
import type { Batch, Projection } from "../daemon/projection.ts";
import { KeyedRows } from "./keyed-rows.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "./projected-schema.ts";
import { type EventType, handledKey, type ReadModel } from "./read-model.ts";

/** A projection whose tables are read models, of one schema, and what may hang on them. */
export interface KeyedProjection extends Pick<Projection, "name" | "filter" | "opens" | "erase"> {
  readonly schema: ProjectedSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any kind.
  readonly models: readonly ReadModel<any, any>[];
}

/** The projection that keeps the rows of its read models, and nothing else. */
export function keyedProjection(parts: KeyedProjection): Projection {
  const { name, filter, opens, erase, schema, models } = parts;
  const writerOf = (into: string, options: WriterOptions) => {
    const tables = models.map((model) => new KeyedRows(model, into, options));
    const apply = async (client: pg.ClientBase, batch: Batch) => {
      for (const rows of tables) await rows.write(client, await rows.fold(client, batch));
    };
    return { apply, erase };
  };
  return {
    ...writerOf(schema.name, {}),
    name,
    filter,
    opens,
    repeatable: true,
    keysOf: (event) => models.flatMap((model) => subjectsOf(model, event)),
    isEmpty: (client) =>
      areEmpty(
        client,
        models.map(({ table }) => `${schema.name}.${table.name}`),
      ),
    isOfEarlierVersion: (sql) => isOfEarlierVersion(sql, schema),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, writerOf),
  };
}

function subjectsOf<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  event: Parameters<Projection["keysOf"]>[0],
): string[] {
  const key = model.subjectOf && handledKey(model, event);
  return key !== undefined && model.subjectOf ? [model.subjectOf(key)] : [];
}
