import { randomUUID } from "node:crypto";
import type pg from "pg";
import { besideRow, placeOf } from "#contracts/http/list-place.ts";
import { SEARCH_PAGE_SIZE } from "#contracts/http/reports.ts";
import { readModelDatabase, readModelTypes } from "#read-model/database.ts";
import { openPool } from "#runtime/db/pool.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { listReports } from "#services/query-api/admin-reports/report-list.queries.ts";
import {
  approvedById,
  findBySlug,
  otherReports,
  recentReports,
} from "#services/query-api/reports/reports.queries.ts";
import { httpLoad } from "../load/http-load.ts";
import { closedLoop } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { NotingPool, replay, type Statement } from "./statements.ts";

const CONNECTIONS = 16;
/** Different requests of each kind. */
const VARIANTS = 200;
const LIST = 20;

interface Read {
  readonly name: string;
  /** Paths that are requested in turn. */
  readonly paths: readonly string[];
  /** Runs the n-th request without HTTP, as the route's handler would, to record its statements. */
  readonly bare: (n: number) => Promise<unknown>;
  /** The request's calls to an engine outside of the database, before its statements. */
  readonly engine?: (n: number) => Promise<unknown>;
}

/** Reads over HTTP, each compared with its own statements sent directly. */
export async function* readRows(
  system: System,
  stores: BenchStores,
  { seconds }: BenchOptions,
): AsyncGenerator<Row> {
  const noting = new NotingPool(stores.databaseUrl);
  const pool = openPool({
    url: stores.databaseUrl,
    name: "bench",
    types: readModelTypes,
    max: CONNECTIONS,
    statementMs: "unlimited",
  });
  const load = { connections: CONNECTIONS, seconds };
  const { searchUrl } = stores.config;
  const outside = /^https?:/.test(searchUrl) ? new OpenSearchIndex(searchUrl) : undefined;
  const index = outside ?? new PostgresSearchIndex(noting.pool);
  try {
    const token = await system.signIn();
    for (const { name, paths, bare, engine } of await readsOf(noting.pool, index)) {
      const request = (n: number) => ({ method: "GET", path: paths[n % paths.length] as string });
      const over = await httpLoad(system.url, load, request, token);
      const statements: Statement[][] = [];
      for (let n = 0; n < paths.length; n += 1) statements.push(await noting.note(() => bare(n)));
      const base = await closedLoop(load, async (n) => {
        await engine?.(n % paths.length);
        await replay(pool, statements[n % paths.length] as Statement[]);
      });
      yield rowOf({
        name,
        profile: stores.profile.name,
        value: over.perSecond,
        unit: "requests/s",
        baseline: base.perSecond,
        baselineName: "bare statements",
        p50: over.p50,
        p99: over.p99,
        detail: {
          count: over.count,
          refused: over.refused,
          bareP50: base.p50,
          bareP99: base.p99,
        },
      });
    }
  } finally {
    await Promise.all([noting.pool.end(), pool.end(), outside?.close()]);
  }
}

async function readsOf(
  pool: pg.Pool,
  index: PostgresSearchIndex | OpenSearchIndex,
): Promise<Read[]> {
  const db = readModelDatabase(pool);
  const { rows } = await pool.query<{ slug: string; last_name: string; first_name: string }>(
    `select slug, first_name, last_name from reports.public_report
     order by hashtext(slug) limit ${VARIANTS}`,
  );
  // Every second search is for a whole name, every fourth with a typo.
  const words = rows.map(({ first_name, last_name }, n) => {
    const last = n % 4 === 3 ? last_name.slice(0, 2) + last_name.slice(3) : last_name;
    return n % 2 === 0 ? `${first_name} ${last}` : last;
  });
  const find = (n: number) => index.search({ q: words[n] as string, size: SEARCH_PAGE_SIZE });
  const search = async (n: number) => {
    const { hits } = await find(n);
    await approvedById(
      db,
      hits.map(({ id }) => id),
    );
  };
  const sort = { field: "created_at", order: "desc" } as const;
  const middle = await pool.query<{ created_at: Date; id: string; before: number }>(
    `select created_at, id, before from (
       select created_at, id, row_number() over (order by created_at desc, id desc)::int as before,
         count(*) over () as reports
       from reports.report) r
     where before = reports / 2`,
  );
  const beside = middle.rows.map(({ created_at, id, before }) => ({
    row: { key: created_at.toISOString(), id },
    offset: before,
  }))[0] ?? { row: { key: "-infinity", id: randomUUID() }, offset: 0 };
  const deep = new URLSearchParams({
    sort: '["created_at","DESC"]',
    range: `[${beside.offset},${beside.offset + LIST - 1}]`,
    place: besideRow("after", placeOf({ of: "reports created_at", ...beside.row })),
  });
  return [
    {
      name: "search",
      paths: words.map((word) => `/prod/api/reports/search?q=${encodeURIComponent(word)}`),
      bare: search,
      ...(index instanceof OpenSearchIndex ? { engine: find } : {}),
    },
    {
      name: "detail",
      paths: rows.map(({ slug }) => `/prod/api/reports/${slug}`),
      async bare(n) {
        const row = await findBySlug(db, rows[n]?.slug ?? "");
        if (row) await otherReports(db, row);
      },
    },
    {
      name: `list of the newest ${LIST}`,
      paths: [`/prod/api/reports/recent?limit=${LIST}`],
      bare: () => recentReports(db, LIST),
    },
    {
      name: `moderators' list, ${LIST} a page`,
      paths: [`/prod/api/admin/reports?limit=${LIST}&status=pending`],
      bare: () => listReports(db, { status: "pending" }, sort, { offset: 0, limit: LIST }),
    },
    {
      name: `moderators' list, ${LIST} in the middle`,
      paths: [`/prod/admin/reports?${deep}`],
      bare: () =>
        listReports(db, {}, sort, {
          offset: beside.offset,
          limit: LIST,
          beside: { side: "after", ...beside.row },
        }),
    },
  ];
}
