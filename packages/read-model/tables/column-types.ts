import type { ColumnType, Selectable } from "kysely";

/** Read as a `Date`, written as RFC 3339 text. */
export type Timestamp = ColumnType<Date, string, string>;
export type NullableTimestamp = ColumnType<Date | null, string | null, string | null>;
/** JSON: read as the value itself. */
export type Json<T> = ColumnType<T, string, string>;

type InJson<Read> = Read extends Date ? string : Read;
/** A table's row as JSON, in which times are RFC 3339 text. */
export type JsonRow<Table> = {
  [Column in keyof Selectable<Table>]: InJson<Selectable<Table>[Column]>;
};
