import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { ProjectedSchema } from "#read-model/install.ts";
import type { Batch, Projection } from "../daemon/projection.ts";
import { KeyedRows } from "./keyed-rows.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOf,
  type WriterOptions,
} from "./projected-schema.ts";
import { type EventType, handledKey, type ReadModel } from "./read-model.ts";

type Apply = (client: pg.ClientBase, batch: Batch) => Promise<void>;

/** A projection whose tables are read models in one schema, and anything written with them. */
export interface KeyedProjection extends Pick<Projection, "name" | "filter" | "opens"> {
  readonly schema: ProjectedSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any kind.
  readonly models: readonly ReadModel<any, any>[];
  /** Events whose rows are removed even if their stream is parked. Their data is not opened. */
  readonly erasedBy: readonly EventType[];
  /** Writes the rows and anything that goes with them; when absent, only the rows. */
  readonly writesInto?: (schema: string, options: WriterOptions) => Apply;
}

/** Creates the projection that maintains the rows of its read models. */
export function keyedProjection(parts: KeyedProjection): Projection {
  const { name, filter, opens, schema, models } = parts;
  const writerOf = keyedWriterOf(parts);
  return {
    ...writerOf(schema.name, {}),
    name,
    filter,
    opens,
    repeatable: true,
    keysOf: (event) => models.flatMap((model) => subjectsOf(parts, model, event)),
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

export function keyedWriterOf({ models, erasedBy, writesInto }: KeyedProjection): WriterOf {
  const rowsAlone = (into: string, options: WriterOptions): Apply => {
    const tables = models.map((model) => new KeyedRows(model, into, options));
    return async (client, batch) => {
      for (const rows of tables) await rows.apply(client, batch);
    };
  };
  return (into, options) => {
    const apply = (writesInto ?? rowsAlone)(into, options);
    return {
      apply,
      async erase(client, stored, epoch) {
        if (!(erasedBy as readonly string[]).includes(stored.type)) return;
        const { type, data, position } = stored;
        const events = [{ stored, event: { type, data } as RegistryEvent }];
        await apply(client, { events, keys: new Map(), position, epoch });
      },
    };
  };
}

/** Subjects of the keys for sealed columns in the event's row, if any of these are read. */
function subjectsOf<Row extends object, Type extends EventType>(
  { erasedBy }: KeyedProjection,
  model: ReadModel<Row, Type>,
  event: StoredEvent,
): string[] {
  if (!model.subjectOf || (erasedBy as readonly string[]).includes(event.type)) return [];
  const key = handledKey(model, event);
  return key === undefined ? [] : [model.subjectOf(key)];
}
