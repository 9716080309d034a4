import type { FastifyReply } from "fastify";
import type { RawBuilder, SqlBool } from "kysely";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { isRowTime } from "#contracts/http/keyset.ts";
import { LIST_END, LIST_START, PLACE, placeOf, rowOfPlace } from "#contracts/http/list-place.ts";
import { strict } from "#contracts/report/fields.ts";
import { invalidRequest } from "#http/validation.ts";
import { compareRow } from "./keyset-lists.ts";

/** Type of the column that a list is sorted by. */
export type KeyType = "text" | "bigint" | "timestamptz" | "uuid";
export type Order = "asc" | "desc";

/** The row next to a page: its sort key and ID. */
interface Neighbor {
  readonly side: "after" | "before";
  readonly key: string;
  readonly id: string;
}

/** A page by number, or by the row next to it. The number is then only for the reply. */
export interface PlacedPage extends Page {
  readonly beside?: Neighbor;
}

/** A request for a page that may start next to a row. */
interface PlacedRequest<F extends TObject, S extends string>
  extends Omit<ListRequest<F, S>, "page"> {
  readonly page: PlacedPage;
  /** The list and its order, for the cursors in the reply. */
  readonly of: string;
}

/** Number of rows in a list. */
export interface Total {
  readonly total: number;
  /** Whether there may be more, because they were counted up to the window. */
  readonly atLeast?: boolean;
}

/** How to read a page: in which direction, from where, and how many rows. */
export interface Reading {
  readonly order: Order;
  readonly from: Pick<Neighbor, "key" | "id"> | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Whether the rows come in reverse list order. */
  readonly isReversed: boolean;
}

/**
 * Reads requests like `createListReader`, plus the row next to the page.
 * @param list its name, which distinguishes its cursors from other lists'.
 * @param sorts the first is the default.
 */
export function createPlacedReader<F extends TObject, S extends string>(
  list: string,
  filter: F,
  sorts: Readonly<Record<S, KeyType>>,
): (query: PlacedQuery) => PlacedRequest<F, S> {
  const read = readerOf(filter, Object.keys(sorts) as [S, ...S[]]);
  return (query) => {
    const request = read(query);
    const { field } = request.sort;
    const of = `${list} ${field}`;
    if (query.place === undefined) return { ...request, of };
    const beside = besideOf(query.place, of, sorts[field]);
    if (!beside) throw invalidRequest({ [PLACE]: "place must be a cursor from this list" });
    return { ...request, of, page: { ...request.page, beside } };
  };
}

const IS_KEY: Readonly<Record<KeyType, (key: string) => boolean>> = {
  text: (key) => !key.includes("\0"),
  bigint: (key) => /^-?\d{1,18}$/.test(key),
  timestamptz: (key) => key === "-infinity" || isRowTime(key),
  uuid: (key) => UUID.test(key),
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function besideOf(place: string, of: string, type: KeyType): Neighbor | undefined {
  const row = rowOfPlace(place);
  if (row?.of !== of || !IS_KEY[type](row.key) || !UUID.test(row.id)) return undefined;
  const { side, key, id } = row;
  return { side, key, id };
}

/**
 * Returns how to read a page. Pages near either end are counted from there, up to the window; any other
 * starts next to a row, so that it costs no more than the first page.
 * @throws {DomainError} `invalid_request` for a page that is too far from both ends and names no row.
 */
export function readingOf(page: PlacedPage, sorted: Order, { total, atLeast }: Total): Reading {
  const back: Order = sorted === "asc" ? "desc" : "asc";
  const { offset, limit, beside } = page;
  if (beside) {
    const isReversed = beside.side === "before";
    return { order: isReversed ? back : sorted, from: beside, offset: 0, limit, isReversed };
  }
  const end = Math.min(offset + limit, total);
  const isNearEnd = !atLeast && offset < total && total - offset <= MAX_WINDOW;
  if (offset + limit <= MAX_WINDOW || !isNearEnd) {
    withinWindow(page, "range");
    return { order: sorted, from: undefined, offset, limit, isReversed: false };
  }
  return {
    order: back,
    from: undefined,
    offset: total - end,
    limit: end - offset,
    isReversed: true,
  };
}

/** Returns the rows in list order. */
export function inListOrder<Row>({ isReversed }: Reading, rows: readonly Row[]): readonly Row[] {
  return isReversed ? rows.toReversed() : rows;
}

/**
 * Returns the condition that a row comes after the one that the reading starts from.
 * @param columns the list's sort columns, an expression for each, with the ID last.
 * @param equal values of the columns before the key, which all rows of the list share.
 */
export function followsStart(
  { from, order }: Reading,
  columns: readonly string[],
  type: KeyType,
  equal: readonly string[] = [],
): RawBuilder<SqlBool> | undefined {
  if (!from) return undefined;
  return compareRow(columns, order === "asc" ? ">" : "<", [
    ...equal.map((value) => [value, "text"] as const),
    [from.key, type],
    [from.id, "uuid"],
  ]);
}

/** Returns the minimum number of rows in a list. A short page is the last, unless read backward. */
export function totalOf({ offset, limit, beside }: PlacedPage, found: number, total: Total): Total {
  if (!total.atLeast) return total;
  const isLast = found < limit && (found > 0 || beside !== undefined) && beside?.side !== "before";
  if (isLast) return { total: offset + found };
  return { total: Math.max(total.total, offset + found + 1), atLeast: true };
}

/** Sends the cursors of a page's first and last rows, from which the adjacent pages are read. */
export function sendPlaces<Row extends { readonly id: string }>(
  reply: FastifyReply,
  of: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string | number | Date | null,
): void {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return;
  const place = (row: Row) => placeOf({ of, key: textOf(keyOf(row)), id: row.id });
  reply.header(LIST_START, place(first));
  reply.header(LIST_END, place(last));
}

/** Rows without a time sort before all others. */
function textOf(key: string | number | Date | null): string {
  if (key === null) return "-infinity";
  return key instanceof Date ? key.toISOString() : String(key);
}

/** `ra-data-simple-rest`: `sort=["field","ASC"]&range=[0,24]&filter={...}`, answered with `Content-Range`. */

/** Maximum number of rows in a reply. The console's export requests 1,000. */
const MAX_ROWS = 1000;
const DEFAULT_ROWS = 25;

/** Query string of a list. Each parameter is JSON, validated by {@link createListReader}. */
export const SimpleRestQuery = strict({
  sort: Type.Optional(Type.String({ maxLength: 200 })),
  range: Type.Optional(Type.String({ maxLength: 100 })),
  filter: Type.Optional(Type.String({ maxLength: 50_000 })),
});
export type SimpleRestQuery = Static<typeof SimpleRestQuery>;

/** The same for a list whose pages may start next to a row. */
export const PlacedQuery = strict({
  ...SimpleRestQuery.properties,
  [PLACE]: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type PlacedQuery = Static<typeof PlacedQuery>;

interface ListRequest<F extends TObject, S extends string> {
  readonly page: Page;
  readonly sort: { readonly field: S; readonly order: "asc" | "desc" };
  readonly filter: Static<F>;
}

const Range = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
  Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
]);

/**
 * Creates a reader of list requests whose pages are counted from the first row.
 * @param filter the supported filters; any other is rejected.
 * @param sorts the supported sort fields; the first one, descending, is the default.
 * @returns a function that throws {@link DomainError} `invalid_request` for an invalid query.
 */
export function createListReader<F extends TObject, const S extends string>(
  filter: F,
  sorts: readonly [S, ...S[]],
): (query: SimpleRestQuery) => ListRequest<F, S> {
  const read = readerOf(filter, sorts);
  return (query) => {
    const request = read(query);
    withinWindow(request.page, "range");
    return request;
  };
}

/** The same without a limit on the offset. */
function readerOf<F extends TObject, const S extends string>(
  filter: F,
  sorts: readonly [S, ...S[]],
): (query: SimpleRestQuery) => ListRequest<F, S> {
  const filters = Compile(filter);
  const ranges = Compile(Range);
  const sortings = Compile(Type.Tuple([Type.Enum([...sorts]), Type.Enum(["ASC", "DESC"])]));
  return (query) => {
    const wanted = read("filter", query.filter, filters, "an object of known filters");
    const range = read("range", query.range, ranges, "a list of two numbers");
    const [first, last] = range ?? [0, defaultRows(wanted) - 1];
    const limit = last - first + 1;
    if (limit < 1 || limit > MAX_ROWS) {
      throw invalidRequest({ range: `Range must cover 1 to ${MAX_ROWS} rows` });
    }
    const sorting = read("sort", query.sort, sortings, `one of ${sorts.join(", ")}, ASC or DESC`);
    const [field, order] = (sorting ?? [sorts[0], "DESC"]) as [S, "ASC" | "DESC"];
    return {
      page: { offset: first, limit },
      sort: { field, order: order === "ASC" ? "asc" : "desc" },
      filter: wanted ?? ({} as Static<F>),
    };
  };
}

/** `getMany` requests all of the given IDs and sends no range. */
function defaultRows(filter: unknown): number {
  const ids = (filter as { id?: unknown } | undefined)?.id;
  return Array.isArray(ids) ? Math.max(1, ids.length) : DEFAULT_ROWS;
}

function read<T extends TSchema>(
  name: string,
  text: string | undefined,
  validator: Validator<Record<never, never>, T>,
  expected: string,
): Static<T> | undefined {
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (validator.Check(value)) return value as Static<T>;
  throw invalidRequest({ [name]: `${name} must be ${expected}, as JSON` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends Content-Range (RFC 9110): `reports 0-24/319`, with an asterisk for an empty page. */
export function sendRange(
  reply: FastifyReply,
  resource: string,
  offset: number,
  rows: number,
  total: number,
): void {
  const range = rows === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  reply.header("content-range", `${resource} ${range}/${total}`);
}

/** Maximum offset; see `MAX_WINDOW` of the search. */
export const MAX_WINDOW = 10_000;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Rejects a page past row 10,000. @param field of the request. @throws {DomainError} `invalid_request` */
function withinWindow(page: Page, field: string): Page {
  if (page.offset + page.limit <= MAX_WINDOW) return page;
  throw invalidRequest({
    [field]: "Only the first 10,000 rows are available. Narrow your filter.",
  });
}

/** Returns the rows of a page, counting pages from 1. @throws {DomainError} `invalid_request` past row 10,000. */
export function pageOf(page: number, limit: number): Page {
  return withinWindow({ offset: (page - 1) * limit, limit }, "page");
}
