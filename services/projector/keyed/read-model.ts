import type { RegistryEvent } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";

export type EventType = RegistryEvent["type"];

/** A table of a schema that is projected. */
export interface KeyedTable<Row extends object> {
  /** Without the schema, which has another name while it is rebuilt. */
  readonly name: string;
  /** The first one is the primary key. */
  readonly columns: readonly (keyof Row & string)[];
  /** Columns of type `text[]`; a list in any other column is JSON. */
  readonly lists?: readonly (keyof Row & string)[];
}

/** An event that a row is asked about. */
export interface Happened<Type extends EventType = EventType> {
  readonly key: string;
  readonly event: Extract<RegistryEvent, { type: Type }>;
  readonly stored: StoredEvent;
  /** For sealed columns. */
  readonly keys: KeyLookups;
}

/** Rows of one table, each folded from the events that have its key. */
export interface ReadModel<Row extends object, Type extends EventType = EventType> {
  readonly table: KeyedTable<Row>;
  /** Events that may change a row; all of them when undefined. No other event loads one. */
  readonly handles: readonly Type[] | undefined;
  /** Key of the row that the event is about; undefined for an event about none. */
  keyOf(event: StoredEvent): string | undefined;
  /** Whether no row of the key can be there; when absent, at the first event of a stream. */
  begins?(event: StoredEvent): boolean;
  /** Subject of the key under which the row has sealed columns. */
  subjectOf?(key: string): string;
  /**
   * The row after the event: the same object if it is unchanged, never a mutated one, and undefined
   * if there is none, or none any more.
   */
  evolve(row: Readonly<Row> | undefined, happened: Happened<Type>): Row | undefined;
}

/** Key of the row that the event may change; undefined when it changes none. */
export function handledKey<Row extends object, Type extends EventType>(
  { handles, keyOf }: ReadModel<Row, Type>,
  event: StoredEvent,
): string | undefined {
  if (handles && !(handles as readonly string[]).includes(event.type)) return undefined;
  return keyOf(event);
}
