import type { FastifyReply } from "fastify";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { PLACE } from "#contracts/http/list-place.ts";
import { strict } from "#contracts/report/fields.ts";
import { invalidRequest } from "#http/validation.ts";
import { type Page, withinWindow } from "./paging.ts";

/**
 * The dialect of `ra-data-simple-rest`: `sort=["field","ASC"]&range=[0,24]&filter={"status":"x"}`,
 * answered with a plain array and a `Content-Range` header.
 */

/** Maximum number of rows in an answer. The console's export asks for a thousand. */
const MAX_ROWS = 1000;
const DEFAULT_ROWS = 25;

/** Query string of a list. Each parameter is JSON, checked by {@link createListReader}. */
export const SimpleRestQuery = strict({
  sort: Type.Optional(Type.String({ maxLength: 200 })),
  range: Type.Optional(Type.String({ maxLength: 100 })),
  filter: Type.Optional(Type.String({ maxLength: 50_000 })),
});
export type SimpleRestQuery = Static<typeof SimpleRestQuery>;

/** The same of a list whose pages may begin beside a row. */
export const PlacedQuery = strict({
  ...SimpleRestQuery.properties,
  [PLACE]: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type PlacedQuery = Static<typeof PlacedQuery>;

/** What a list request asks for. */
export interface ListRequest<F extends TObject, S extends string> {
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
 * @param filter the filters that may be used; any other is refused.
 * @param sorts the fields that may be sorted by; the first one, descending, is the default.
 * @returns a function that throws {@link DomainError} `invalid_request` for any other query.
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

/** The same for pages that may be anywhere. */
export function readerOf<F extends TObject, const S extends string>(
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
      throw invalidRequest({ range: `Range must name 1 to ${MAX_ROWS} rows` });
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

/** `getMany` asks for all of the given ids and sends no range. */
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

/** Sends Content-Range as in RFC 9110: `reports 0-24/319`, with an asterisk for an empty page. */
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
