import net from "node:net";
import { readS3Url } from "#files/s3/s3-url.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { createClient } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import type { ReadinessCheck } from "./health.ts";

/** Milliseconds that a store gets to answer. */
const LIMIT_MS = 1_500;

/** Settings that name a store, and the store's name in `/readyz`. */
const STORES = {
  databaseUrl: "database",
  eventStoreUrl: "event_log",
  keysUrl: "keys",
  searchUrl: "search",
  jobsUrl: "jobs",
  rateLimitUrl: "counters",
  filesUrl: "files",
} as const;

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  redis: 6379,
  rediss: 6379,
};

/**
 * A check for each store that a configuration names: whether it can be reached, without what the
 * service itself does with it. Stores in a folder need no check.
 */
export function reachChecks(config: object): Record<string, ReadinessCheck> {
  const checks: Record<string, ReadinessCheck> = {};
  for (const [setting, store] of Object.entries(STORES)) {
    const url = (config as Record<string, unknown>)[setting];
    if (typeof url !== "string") continue;
    const reach = reachOf(url);
    if (reach) checks[store] = async () => asResult(reach);
  }
  return checks;
}

async function asResult(reach: () => Promise<void>): ReturnType<ReadinessCheck> {
  try {
    await withDeadline(reach(), LIMIT_MS, () => new Error("time limit"));
    return { ok: true };
  } catch (error) {
    // A message may hold addresses; the code does not.
    const { code } = error as { code?: unknown };
    return { ok: false, detail: { error: typeof code === "string" ? code : "no answer" } };
  }
}

function reachOf(url: string): (() => Promise<void>) | undefined {
  const scheme = schemeOf(url) ?? "";
  if (scheme === "postgres") return () => askPostgres(url);
  const places = placesOf(scheme, url);
  if (places.length === 0) return undefined;
  // One node of a cluster is enough to find the others.
  return () => Promise.any(places.map(connect)).catch(({ errors }) => Promise.reject(errors[0]));
}

interface Place {
  readonly host: string;
  readonly port: number;
}

function placesOf(scheme: string, url: string): Place[] {
  if (scheme === "esdb" || scheme === "esdb+discover") {
    const hosts = /^[^:]+:\/\/(?:[^@/]+@)?([^/?]+)/.exec(url)?.[1] ?? "";
    return hosts.split(",").flatMap((each) => placeOf(`esdb://${each}`, 2113));
  }
  if (scheme === "s3") {
    const endpoint = readS3Url(url)?.endpoint ?? "";
    return placeOf(endpoint, endpoint.startsWith("https:") ? 443 : 80);
  }
  const port = DEFAULT_PORTS[scheme];
  return port === undefined ? [] : placeOf(url, port);
}

function placeOf(url: string, defaultPort: number): Place[] {
  if (!URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return [{ host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) || defaultPort }];
}

async function askPostgres(url: string): Promise<void> {
  const client = createClient({ url, name: "reach", connectMs: LIMIT_MS, statementMs: LIMIT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end().catch(() => undefined);
  }
}

function connect(place: Place): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = net.connect({ ...place, timeout: LIMIT_MS }, resolve);
  socket.on("error", reject);
  socket.on("timeout", () => reject(new Error("time limit")));
  return promise.finally(() => socket.destroy());
}
