import type { DataProvider, GetListParams, GetOneParams, RaRecord } from "react-admin";
import { KEYSET_PAGE, type KeysetList } from "#contracts/http/keyset.ts";
import type { ApiClient } from "./api-client.ts";

/** Base path of the routes of the console's own resources. */
export const ADMIN = "/prod/api/admin";

type Row = Record<string, unknown>;
type Rows = Readonly<Record<string, (row: never) => unknown>>;

/** Lists with keyset paging, with the function that returns a row's ID. */
const READ_ON: Readonly<Record<KeysetList, (row: never) => unknown>> = {
  documents: (row: { file_id: string }) => row.file_id,
  inquiries: idOf,
  mails: idOf,
  notices: idOf,
  payments: (row: { report: { id: string } }) => row.report.id,
};

/** Lists that are returned whole, in their own order. */
const WHOLE: Rows = {
  resolutions: idOf,
  deletions: idOf,
  templates: (row: { kind: string; id: string }) => `${row.kind}/${row.id}`,
};

/** Functions that convert such a list to rows; their code is loaded with the list. */
const MADE: Readonly<Record<string, (rows: never) => Promise<readonly object[]>>> = {
  templates: async (rows) => (await import("./email-rows.ts")).emailRows(rows),
};

function idOf(row: { readonly id?: unknown }) {
  return row.id;
}

/** Most pages to read to reach one whose start is unknown, e.g. from a bookmark. */
const MAX_READ = 40;
const MAX_LISTS = 20;

type Reads = Pick<DataProvider, "getList" | "getOne">;

/**
 * Reads resources whose routes are `/prod/api/admin/<resource>` instead of ra-data-simple-rest's. Rows of such lists
 * are not complete records: react-admin's `Show` loads its own, with some `meta` in its `queryOptions`.
 */
export function otherReads(client: ApiClient, others: Reads): Reads {
  /** Cursors of the pages of each list; index 1 is the second page. */
  const places = new Map<string, (string | undefined)[]>();

  async function answerOf(resource: string, query: URLSearchParams, signal?: AbortSignal) {
    const behind = query.size > 0 ? `?${query}` : "";
    const { json } = await client.request(`${ADMIN}/${resource}${behind}`, { signal });
    return (json as { data: Row | Row[] }).data;
  }

  /** Reads forward from the nearest page whose cursor is known. Each page costs the same at any depth. */
  async function readOn(resource: KeysetList, { pagination, filter, signal }: GetListParams) {
    const query = new URLSearchParams(filter);
    const list = `${resource}?${query}`;
    const page = pagination?.page ?? 1;
    const known = places.get(list) ?? [undefined];
    places.delete(list);
    places.set(list, known);
    const [oldest] = places.keys();
    if (oldest !== undefined && places.size > MAX_LISTS) places.delete(oldest);
    const begin = Math.min(page, known.length);
    for (let at = begin; ; at += 1) {
      const after = known[at - 1];
      const asked = new URLSearchParams(query);
      if (after !== undefined) asked.set("after", after);
      const answer = (await answerOf(resource, asked, signal)) as Row;
      const next = answer.next as string | undefined;
      known.length = at;
      if (next !== undefined) known[at] = next;
      if (at !== page && next !== undefined && at - begin < MAX_READ) continue;
      const rows = at === page ? (answer[resource] as Row[]) : [];
      const before = (page - 1) * KEYSET_PAGE;
      return {
        data: withIds(rows, READ_ON[resource]),
        // All pages before the last one are full. The total is unknown until the last one.
        ...(next === undefined && at === page
          ? { total: before + rows.length }
          : { pageInfo: { hasNextPage: next !== undefined, hasPreviousPage: page > 1 } }),
      };
    }
  }

  async function readWhole(resource: string, { pagination, filter, sort, signal }: GetListParams) {
    const answer = await answerOf(resource, new URLSearchParams(), signal);
    const listed = Array.isArray(answer) ? answer : (answer[resource] as Row[]);
    const all = ((await MADE[resource]?.(listed as never)) ?? listed) as Row[];
    const { page = 1, perPage = all.length } = pagination ?? {};
    const wanted = Object.entries(filter as Row);
    const rows = all.filter((row) => wanted.every(([name, value]) => isLike(row, name, value)));
    const { field = "id", order = "ASC" } = sort ?? {};
    if (field !== "id")
      rows.sort((a, b) => (order === "ASC" ? 1 : -1) * compared(a[field], b[field]));
    const begin = (page - 1) * perPage;
    return {
      data: withIds(rows.slice(begin, begin + perPage), WHOLE[resource] ?? idOf),
      total: rows.length,
      meta: Array.isArray(answer) ? undefined : answer,
    };
  }

  return {
    // biome-ignore lint/suspicious/noExplicitAny: react-admin's own signature.
    async getList<R extends RaRecord = any>(resource: string, params: GetListParams) {
      if (Object.hasOwn(READ_ON, resource))
        return (await readOn(resource as KeysetList, params)) as never;
      if (Object.hasOwn(WHOLE, resource)) return (await readWhole(resource, params)) as never;
      return others.getList<R>(resource, params as never);
    },
    // biome-ignore lint/suspicious/noExplicitAny: react-admin's own signature.
    async getOne<R extends RaRecord = any>(resource: string, params: GetOneParams<R>) {
      if (!Object.hasOwn(READ_ON, resource) && !Object.hasOwn(WHOLE, resource))
        return others.getOne<R>(resource, params);
      const path = String(params.id).split("/").map(encodeURIComponent).join("/");
      const data = await answerOf(`${resource}/${path}`, new URLSearchParams(), params.signal);
      return { data: { ...data, id: params.id } as unknown as R };
    },
  };
}

function withIds(rows: readonly Row[], id: (row: never) => unknown): RaRecord[] {
  return rows.map((row) => ({ ...row, id: id(row as never) }) as RaRecord);
}

/** Whether a row has the value or, for `q`, contains the search text in `told` if set, otherwise in any field. */
function isLike(row: Row, name: string, value: unknown): boolean {
  if (name !== "q") return String(row[name]) === String(value);
  const text = String(value).toLowerCase();
  const texts = row.told ? [row.told] : Object.values(row);
  return texts.some((it) => typeof it === "string" && it.toLowerCase().includes(text));
}

function compared(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a ?? "").localeCompare(String(b ?? ""));
}
