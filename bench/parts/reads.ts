import type pg from "pg";
import { SEARCH_PAGE_SIZE } from "#contracts/http/reports.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { listReports } from "#services/query-api/admin-reports/report-list.queries.ts";
import {
  approvedById,
  findBySlug,
  otherReports,
  recentReports,
} from "#services/query-api/reports/reports.queries.ts";
import { closedLoop, httpLoad } from "../load.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rateRow } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";

const CONNECTIONS = 16;
/** Different requests of each kind. */
const VARIANTS = 200;
const LIST = 20;

interface Read {
  readonly name: string;
  readonly paths: readonly string[];
  /** Runs the n-th request without HTTP, as the route's handler would, to record its statements. */
  readonly bare: (n: number) => Promise<unknown>;
}

type Statement = readonly [text: string, values: unknown[]];

/** Measures reads over HTTP, each compared with sending its own statements directly, without the OpenSearch calls. */
export async function* readRows(
  system: System,
  stores: BenchStores,
  { seconds }: BenchOptions,
): AsyncGenerator<Row> {
  const open = (max: number) =>
    readModelPool(stores.databaseUrl, { name: "bench", max, statementMs: "unlimited" });
  const [noting, pool] = [open(4), open(CONNECTIONS)];
  const noted: Statement[] = [];
  noteStatements(noting, noted);
  const load = { connections: CONNECTIONS, seconds };
  const { searchUrl } = stores.config;
  const outside = /^https?:/.test(searchUrl) ? new OpenSearchIndex(searchUrl) : undefined;
  try {
    const token = await system.signIn();
    const index = outside ?? new PostgresSearchIndex(noting);
    for (const { name, paths, bare } of await readsOf(noting, index)) {
      const request = (n: number) =>
        ({ method: "GET", path: paths[n % paths.length] as string }) as const;
      const over = await httpLoad(system.url, load, request, token);
      const statements: Statement[][] = [];
      for (let n = 0; n < paths.length; n += 1) {
        noted.length = 0;
        await bare(n);
        statements.push([...noted]);
      }
      const base = await closedLoop(load, (n) =>
        replay(pool, statements[n % paths.length] as Statement[]),
      );
      const named = { name, profile: stores.profile, unit: "requests/s" };
      yield rateRow({ ...named, baselineName: "bare statements" }, over, base);
    }
  } finally {
    await Promise.all([noting.end(), pool.end(), outside?.close()]);
  }
}

async function readsOf(pool: pg.Pool, index: Pick<OpenSearchIndex, "search">): Promise<Read[]> {
  const db = readModelDatabase(pool);
  const { rows } = await pool.query<{ slug: string; last_name: string; first_name: string }>(
    `select slug, first_name, last_name from reports.public_report
     order by hashtext(slug) limit ${VARIANTS}`,
  );
  // Every second search is for a full name, every fourth with a typo.
  const words = rows.map(({ first_name, last_name }, n) => {
    const last = n % 4 === 3 ? last_name.slice(0, 2) + last_name.slice(3) : last_name;
    return n % 2 === 0 ? `${first_name} ${last}` : last;
  });
  const sort = { field: "created_at", order: "desc" } as const;
  return [
    {
      name: "search",
      paths: words.map((word) => `/prod/api/reports/search?q=${encodeURIComponent(word)}`),
      async bare(n) {
        const { hits } = await index.search({ q: words[n] as string, size: SEARCH_PAGE_SIZE });
        const ids = hits.map(({ id }) => id);
        await approvedById(db, ids);
      },
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
  ];
}

/** Records every statement sent through the pool, in both call forms used by Kysely and others. */
function noteStatements(pool: pg.Pool, noted: Statement[]): void {
  pool.on("connect", (client) => {
    const target = client as unknown as {
      query: (text: string | pg.QueryConfig, values?: unknown[]) => unknown;
    };
    const query = target.query.bind(client);
    target.query = (sent, ...rest) => {
      const { text, values = [] } =
        typeof sent === "string" ? { text: sent, values: rest[0] } : sent;
      noted.push([text, values]);
      return query(sent, ...rest);
    };
  });
}

/** Sends the statements in order on one connection, and reads all rows. */
async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (const [text, values] of statements) await client.query(text, values);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
