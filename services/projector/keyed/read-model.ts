import type { RegistryEvent } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { Count } from "./tallies.ts";

export type EventType = RegistryEvent["type"];

/** A table of a projected schema. */
export interface KeyedTable<Row extends object> {
  /** Name without the schema, because the schema has another name during a rebuild. */
  readonly name: string;
  /** The first column is the primary key. */
  readonly columns: readonly (keyof Row & string)[];
  /** Columns of type `text[]`. A list in any other column is JSON. */
  readonly lists?: readonly (keyof Row & string)[];
  /** A second table, for rows that readers of the first must not find. */
  readonly aside?: Aside<Row>;
}

/** A table beside another one, with the same key. */
export interface Aside<Row extends object> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  /** Whether it has the row. */
  holds(row: Row): boolean;
}

/** An event that may change a row. */
export interface Happened<Type extends EventType = EventType> {
  readonly key: string;
  readonly event: Extract<RegistryEvent, { type: Type }>;
  readonly stored: StoredEvent;
  /** For sealed columns. */
  readonly keys: KeyLookups;
}

/** Rows of one table. Each is folded from the events that have its key. */
export interface ReadModel<Row extends object, Type extends EventType = EventType> {
  readonly table: KeyedTable<Row>;
  /** Events that may change a row; all when undefined. Other events load no row. */
  readonly handles: readonly Type[] | undefined;
  /** Key of the row that the event is about; undefined if it is about none. */
  keyOf(event: StoredEvent): string | undefined;
  /**
   * Whether the key cannot have a row yet; when absent, this holds for the first event of a stream.
   */
  begins?(event: StoredEvent): boolean;
  /** Subject of the key for the row's sealed columns. */
  subjectOf?(key: string): string;
  /**
   * The row after the event. It returns the same object if nothing changes, and never mutates it.
   * The result is undefined if there is no row, or no longer one.
   */
  evolve(row: Readonly<Row> | undefined, happened: Happened<Type>): Row | undefined;
  /** What a row counts for in the figures; it depends on the row alone. */
  figuresOf?(row: Row): Iterable<Count>;
}

/** Key of the row that the event may change; undefined if it changes none. */
export function handledKey<Row extends object, Type extends EventType>(
  { handles, keyOf }: ReadModel<Row, Type>,
  event: StoredEvent,
): string | undefined {
  if (handles && !(handles as readonly string[]).includes(event.type)) return undefined;
  return keyOf(event);
}
