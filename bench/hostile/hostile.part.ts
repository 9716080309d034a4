import http from "node:http";
import { createClient } from "#runtime/db/pool.ts";
import { createExchange } from "../load/exchange.ts";
import type { HttpRequest, RequestOf } from "../load/http-load.ts";
import { percentile, steadyLoad } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { makePerson, makeReport } from "../seeding/made-up-reports.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { type HostileKind, hostileKinds } from "./hostile-kinds.ts";
import { type HostileCount, underLoad } from "./hostile-load.ts";

/** Connections that send hostile requests. */
const CONNECTIONS = 4;
/** Different reports that other callers read and search for. */
const VARIANTS = 200;
/** The longest that anybody else may wait, in milliseconds. */
const LONGEST_WAIT_MS = 50;

/**
 * What other callers send meanwhile. The trivial request waits for nothing but the process itself.
 */
const STREAMS = ["trivial", "detail", "search", "submit"] as const;
type Stream = (typeof STREAMS)[number];
const PER_SECOND: Readonly<Record<Stream, number>> = {
  trivial: 100,
  detail: 10,
  search: 10,
  submit: 10,
};
/** Milliseconds of each request. */
type Waits = Readonly<Record<Stream, readonly number[]>>;

/** For each kind of hostile request: how long others wait meanwhile, and just before. */
export async function* hostileRows(
  system: System,
  stores: BenchStores,
  options: BenchOptions,
): AsyncGenerator<Row> {
  const agent = new http.Agent({ keepAlive: true });
  const exchange = createExchange(system.url, agent);
  const ask = async (request: HttpRequest) => {
    const { status, body } = await exchange(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${body}`);
  };
  const requests = await ordinaryRequests(stores, options);
  // Calm and load alternate, so that a machine that slows down affects both.
  const seconds = options.seconds / 4;
  const others = async (): Promise<Waits> => {
    const [trivial, detail, search, submit] = await Promise.all(
      STREAMS.map((stream) =>
        steadyLoad({ perSecond: PER_SECOND[stream], seconds }, (n) => ask(requests[stream](n))),
      ),
    );
    return { trivial, detail, search, submit } as Waits;
  };
  try {
    // Warms up connections, caches and compiled code.
    await others();
    for (const kind of hostileKinds().slice(0, options.kinds)) {
      const calm = await others();
      const load = { url: system.url, connections: CONNECTIONS, requests: kind.requests };
      const { done, count } = await underLoad(load, others);
      yield rowOfKind(stores, kind, { calm, waits: done, count });
    }
  } finally {
    agent.destroy();
  }
}

async function ordinaryRequests(
  { databaseUrl }: BenchStores,
  { seed }: BenchOptions,
): Promise<Readonly<Record<Stream, RequestOf>>> {
  const client = createClient({ url: databaseUrl, name: "bench" });
  await client.connect();
  const { rows } = await client
    .query<{ slug: string; last_name: string }>(
      `select slug, last_name from reports.public_report order by hashtext(slug) limit ${VARIANTS}`,
    )
    .finally(() => client.end());
  const row = (n: number) => rows[n % rows.length] as (typeof rows)[number];
  const random = new Random(seed);
  return {
    trivial: () => ({ method: "GET", path: "/healthz" }),
    detail: (n) => ({ method: "GET", path: `/prod/api/reports/${row(n).slug}` }),
    search: (n) => ({
      method: "GET",
      path: `/prod/api/reports/search?q=${encodeURIComponent(row(n).last_name)}`,
    }),
    submit: () => ({
      method: "POST",
      path: "/prod/api/reports/submit",
      body: makeReport(random, makePerson(random)),
    }),
  };
}

interface Measured {
  readonly calm: Waits;
  readonly waits: Waits;
  readonly count: HostileCount;
}

function rowOfKind(
  { profile }: BenchStores,
  { name, bytes }: HostileKind,
  { calm, waits, count }: Measured,
): Row {
  const { seconds, errors, statuses } = count;
  const answers = statuses.reduce((sum, [, times]) => sum + times, 0);
  return rowOf({
    name: `hostile ${name}`,
    profile: profile.name,
    value: longest(waits.trivial),
    unit: "ms",
    baseline: longest(calm.trivial),
    baselineName: "without it",
    p50: share(waits.trivial, 0.5),
    p99: share(waits.trivial, 0.99),
    target: { of: "value", atMost: LONGEST_WAIT_MS },
    detail: {
      bytes,
      hostilePerSecond: rounded(answers / seconds),
      statuses: statuses.map(([status, times]) => `${times} x ${status}`).join(", "),
      errors,
      ...Object.fromEntries(STREAMS.map((stream) => [stream, compared(waits, calm, stream)])),
    },
  });
}

/** `p50 3.1 / 2 = 1.55, p99 ..., max ...`: milliseconds under load, without it, and the ratio. */
function compared(waits: Waits, calm: Waits, stream: Stream): string {
  const figures = { p50: 0.5, p99: 0.99, max: 1 };
  return Object.entries(figures)
    .map(([name, of]) => {
      const [with_, without] = [share(waits[stream], of), share(calm[stream], of)];
      return `${name} ${with_} / ${without} = ${rounded(with_ / without, 2)}`;
    })
    .join(", ");
}

function longest(times: readonly number[]): number {
  return share(times, 1);
}

function share(times: readonly number[], of: number): number {
  return rounded(percentile(times, of), 2);
}
