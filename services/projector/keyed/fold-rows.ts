import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { OpenedEvent } from "../daemon/projection.ts";
import { type EventType, type Happened, handledKey, type ReadModel } from "./read-model.ts";

/** An event that changed a row. */
export interface Step<Row> {
  readonly key: string;
  readonly stored: StoredEvent;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** What a batch of the log does to the rows of a table. */
export interface Changes<Row> {
  /** Rows as they stood before, as far as they are known to have been there. */
  readonly loaded: ReadonlyMap<string, Row>;
  /** Rows that are others after the batch. */
  readonly changed: ReadonlyMap<string, Row>;
  /** Keys whose row went. */
  readonly removed: ReadonlySet<string>;
  /** In the order of the events. */
  readonly steps: readonly Step<Row>[];
}

/** Folds a batch of the log over the rows that it touches; those are left as they are. */
export function foldRows<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  loaded: ReadonlyMap<string, Row>,
  events: readonly OpenedEvent[],
  keys: KeyLookups,
): Changes<Row> {
  const rows = new Map<string, Row | undefined>();
  const steps: Step<Row>[] = [];
  for (const { stored, event } of events) {
    const key = handledKey(model, stored);
    if (key === undefined) continue;
    const before = rows.has(key) ? rows.get(key) : loaded.get(key);
    const after = model.evolve(before, { key, event, stored, keys } as Happened<Type>);
    if (after === before) continue;
    rows.set(key, after);
    steps.push({ key, stored, before, after });
  }
  const changed = new Map<string, Row>();
  const removed = new Set<string>();
  for (const [key, row] of rows) {
    if (row) changed.set(key, row);
    else removed.add(key);
  }
  return { loaded, changed, removed, steps };
}
