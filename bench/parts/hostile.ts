import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { SearchQuery, SubmitReport } from "#contracts/http/reports.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { hostileBodies, hostileQueries } from "#test-kit/hostile.ts";
import { percentile, steadyLoad } from "../load.ts";
import { makePerson, makeReport, Random } from "../made-up-reports.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";

const CONNECTIONS = 4;
/** The longest acceptable wait for other callers, in milliseconds. */
const LONGEST_WAIT_MS = 50;

/** Requests that other callers send per second under load. The trivial one waits only for the process itself. */
const PER_SECOND = { trivial: 100, search: 10, submit: 10 } as const;
type Stream = keyof typeof PER_SECOND;
const STREAMS = Object.keys(PER_SECOND) as Stream[];
/** Milliseconds of each request. */
type Waits = Readonly<Record<Stream, readonly number[]>>;

/** Requests that are hostile in the same way. */
interface HostileKind {
  readonly name: string;
  /** Size of the largest body or query. */
  readonly bytes: number;
  readonly requests: readonly {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }[];
}

/** Instructions for a worker: each connection sends the requests in turn, the next one as soon as one is answered. */
export interface HostileLoad extends Pick<HostileKind, "requests"> {
  readonly url: string;
  readonly connections: number;
}

/** Results of a worker. */
export interface HostileCount {
  readonly seconds: number;
  /** Closed connections and requests without a reply. */
  readonly errors: number;
  /** How often each status was returned. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** For each kind of hostile request, measures how long others wait under it and just before. */
export async function* hostileRows(
  system: System,
  stores: BenchStores,
  { seconds, kinds }: BenchOptions,
): AsyncGenerator<Row> {
  const requests = ordinaryRequests(system);
  // Calm and load alternate, so that a slowdown of the machine affects both.
  const others = async (): Promise<Waits> => {
    const waits = STREAMS.map(async (stream) => {
      const load = { perSecond: PER_SECOND[stream], seconds: seconds / 4 };
      return [stream, await steadyLoad(load, requests[stream])] as const;
    });
    return Object.fromEntries(await Promise.all(waits)) as unknown as Waits;
  };
  // Warm up connections, caches and compiled code.
  await others();
  for (const kind of hostileKinds().slice(0, kinds)) {
    const calm = await others();
    const load = { url: system.url, connections: CONNECTIONS, requests: kind.requests };
    const { done: waits, count } = await underLoad(load, others);
    const { seconds: took, errors, statuses } = count;
    const answers = Object.values(statuses).reduce((sum, times) => sum + times, 0);
    // Milliseconds under load and without it.
    const p99 = STREAMS.map((stream) => {
      const [with_, without] = [waits, calm].map((times) => percentile(times[stream], 0.99));
      return [`${stream} p99`, `${with_} / ${without}`];
    });
    yield rowOf({
      name: `hostile ${kind.name}`,
      profile: stores.profile,
      value: percentile(waits.trivial, 1),
      unit: "ms",
      baseline: percentile(calm.trivial, 1),
      baselineName: "without it",
      p50: percentile(waits.trivial, 0.5),
      p99: percentile(waits.trivial, 0.99),
      target: { of: "value", atMost: LONGEST_WAIT_MS },
      detail: {
        bytes: kind.bytes,
        hostilePerSecond: rounded(answers / took),
        statuses: JSON.stringify(statuses),
        errors,
        ...Object.fromEntries(p99),
      },
    });
  }
}

/** Bodies for the route that accepts the largest, and queries for the search, largest first. */
export function hostileKinds(): HostileKind[] {
  const bodies = hostileBodies(REPORT_BOUNDS.bodyBytes, Object.keys(SubmitReport.properties));
  const headers = { "content-type": "application/json" };
  const submit = { method: "POST", path: "/prod/api/reports/submit", headers } as const;
  const kinds = bodies.map(({ kind, text }): HostileKind => {
    const requests = [{ ...submit, body: text }];
    return { name: `body: ${kind}`, bytes: Buffer.byteLength(text), requests };
  });
  // They differ only in the parameter they are tried with.
  const queries = Map.groupBy(hostileQueries(Object.keys(SearchQuery.properties)), ({ kind }) =>
    kind.replace(/^\w+: /, ""),
  );
  for (const [kind, alike] of queries)
    kinds.push({
      name: `query: ${kind}`,
      bytes: Math.max(...alike.map(({ text }) => text.length)),
      requests: alike.map(({ text }) => ({
        method: "GET",
        path: `/prod/api/reports/search?${text}`,
      })),
    });
  return kinds.sort((a, b) => b.bytes - a.bytes);
}

function ordinaryRequests({ url, visitor }: System) {
  const random = new Random();
  const report = () => makeReport(random, makePerson(random));
  const requests: Record<Stream, () => Promise<unknown>> = {
    trivial: async () => (await fetch(`${url}/healthz`)).text(),
    search: () => visitor("GET", `/prod/api/reports/search?q=${makePerson(random).last_name}`),
    submit: () => visitor("POST", "/prod/api/reports/submit", report()),
  };
  return requests;
}

/** Runs the work under the load, starting at its first reply. */
async function underLoad<T>(
  load: HostileLoad,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly count: HostileCount }> {
  const file = new URL("./hostile-load.worker.ts", import.meta.url);
  const worker = new Worker(file, { workerData: load });
  try {
    await once(worker, "message");
    const done = await work();
    const counted = once(worker, "message") as Promise<[HostileCount]>;
    worker.postMessage("stop");
    const [count] = await counted;
    return { done, count };
  } finally {
    await worker.terminate();
  }
}
