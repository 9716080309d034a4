import type { StoredEvent } from "#event-store/port.ts";
import type { Batch } from "../daemon/projection.ts";
import { type EventType, type Happened, handledKey, type ReadModel } from "./read-model.ts";

/** An event that changed a row. */
export interface Step<Row> {
  readonly key: string;
  readonly stored: StoredEvent;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** How a batch of the log changes the rows of a table. */
export interface Changes<Row> {
  /** Rows before the batch, if they are known to have existed. */
  readonly loaded: ReadonlyMap<string, Row>;
  /** Rows that the batch created or changed, as they are after it. */
  readonly changed: ReadonlyMap<string, Row>;
  /** Keys of rows that the batch removed. */
  readonly removed: ReadonlySet<string>;
}

/** The events of the batch that the model handles, in order. */
export function happenedIn<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  { events, keys }: Pick<Batch, "events" | "keys">,
): Happened<Type>[] {
  const happened: Happened<Type>[] = [];
  for (const { stored, event } of events) {
    const key = handledKey(model, stored);
    if (key !== undefined) happened.push({ key, event, stored, keys } as Happened<Type>);
  }
  return happened;
}

/**
 * Folds events over the rows that they affect, without mutating those rows.
 * @param onStep called for each event that changes a row.
 */
export function foldRows<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  loaded: ReadonlyMap<string, Row>,
  happened: readonly Happened<Type>[],
  onStep?: (step: Step<Row>) => void,
): Changes<Row> {
  const rows = new Map<string, Row | undefined>();
  for (const one of happened) {
    const { key, stored } = one;
    const before = rows.has(key) ? rows.get(key) : loaded.get(key);
    const after = model.evolve(before, one);
    if (after === before) continue;
    rows.set(key, after);
    onStep?.({ key, stored, before, after });
  }
  const changed = new Map<string, Row>();
  const removed = new Set<string>();
  for (const [key, row] of rows) {
    if (row) changed.set(key, row);
    else removed.add(key);
  }
  return { loaded, changed, removed };
}
