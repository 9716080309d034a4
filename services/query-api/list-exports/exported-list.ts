import type { FastifyBaseLogger } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Cell } from "#contracts/csv.ts";
import { afterRow, type LastRow, rowOfAfter } from "#contracts/http/keyset.ts";
import { type ExportFilter, X_EXPORT } from "#contracts/http/list-exports.ts";
import { strict } from "#contracts/report/fields.ts";
import { invalidRequest } from "#http/validation.ts";

/** Rows of one read, in the list's order, and where the next one begins; absent at the end. */
export interface ExportedPage {
  readonly rows: readonly object[];
  readonly next?: string;
}

/** Where a page begins and how long it is. */
export interface PageWanted {
  /** The first row's place, as a page before or {@link ExportedList.count} gave it; absent: the newest row. */
  readonly from: string | undefined;
  readonly limit: number;
  /** Rows that matched when they were counted, by which the way to find them is chosen. */
  readonly counted: number;
}

/** A list that can be exported, newest first. */
export interface ExportedList {
  /** Names of the columns in CSV: fields of a row. */
  readonly columns: readonly string[];
  /**
   * How many rows match, and where the first one is.
   * @throws {DomainError} `invalid_request` for a filter that the list has not.
   */
  count(
    filter: ExportFilter,
    log: FastifyBaseLogger,
  ): Promise<{ readonly rows: number; readonly first?: string | undefined }>;
  page(filter: ExportFilter, wanted: PageWanted, log: FastifyBaseLogger): Promise<ExportedPage>;
}

/** What a list is made of whose rows are ordered by when they were created. */
interface CreatedRows<F, Row> {
  readonly columns: readonly string[];
  wanted(filter: ExportFilter): F;
  count(wanted: F): Promise<number>;
  /** Rows from one on, which need not be there any more. @param counted as {@link PageWanted} has it. */
  rowsFrom(
    wanted: F,
    from: LastRow | undefined,
    limit: number,
    counted: number,
  ): Promise<readonly Row[]>;
  present(row: Row): object;
}

export function newestCreated<F, Row extends { readonly created_at: Date; readonly id: string }>(
  list: CreatedRows<F, Row>,
): ExportedList {
  const placeOf = ({ created_at, id }: Row) => afterRow({ at: created_at.toISOString(), id });
  return {
    columns: list.columns,
    async count(filter) {
      const wanted = list.wanted(filter);
      const rows = await list.count(wanted);
      const [first] = await list.rowsFrom(wanted, undefined, 1, rows);
      return { rows, first: first && placeOf(first) };
    },
    async page(filter, { from, limit, counted }) {
      const after = from === undefined ? undefined : rowOfAfter(from);
      const found = await list.rowsFrom(list.wanted(filter), after, limit + 1, counted);
      const next = found[limit];
      return {
        rows: found.slice(0, limit).map(list.present),
        ...(next ? { next: placeOf(next) } : {}),
      };
    },
  };
}

/** @returns the names of a row's fields, in the order of its schema. */
export function columnsOf(row: TObject): readonly string[] {
  return Object.keys(row.properties);
}

/**
 * Reads a filter as the list's own query does.
 * @param fields schemas of the list's filters.
 */
export function filterReader<P extends Readonly<Record<string, TSchema>>>(fields: P) {
  const schema = strict(fields);
  const validator = Compile(schema as TSchema);
  return (filter: ExportFilter): Static<typeof schema> => {
    if (validator.Check(filter)) return filter as Static<typeof schema>;
    throw invalidRequest({ [X_EXPORT]: "The list has no such filter" });
  };
}

/** A value of a row as one cell: lists of texts with semicolons, what has parts as JSON. */
export function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value as Cell;
  const isList = Array.isArray(value);
  if (isList && value.length === 0) return null;
  if (isList && value.every((each) => typeof each === "string")) return value.join("; ");
  return JSON.stringify(value);
}
