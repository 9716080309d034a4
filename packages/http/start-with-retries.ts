import type { IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import type { Logger } from "pino";
import { pause } from "#event-store/follow-log.ts";
import { readS3Url } from "#files/s3/s3-url.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { withClient } from "#runtime/db/pool.ts";
import { BackOff, shareResult } from "#runtime/lifecycle/back-off.ts";
import { explainFailure, isStoreUnavailable } from "#runtime/lifecycle/explain-failure.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { type Front, operatorCheck } from "#runtime/net/client-address.ts";
import { fail } from "./envelope.ts";
import { messages } from "./errors.ts";
import { type CheckResult, READINESS_CACHE_MS, type ReadinessCheck, runChecks } from "./health.ts";

/** Answers requests until the service has started. */
export type WaitingHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A store that startup is waiting for, and its error: a code, or `no answer`. */
export interface UnavailableStore {
  /** Its name in `/readyz`. */
  readonly store: string;
  readonly error: string;
}

export interface RetriedStart<T> {
  readonly name: string;
  readonly config: object;
  readonly log: Logger;
  /** One attempt. It stops what it has started if it fails. */
  attempt(): Promise<T>;
  /** Listens on the service's future address from the first failure on. @returns what ends it, called once. */
  listen(handle: WaitingHandler): Promise<() => Promise<void>>;
  /** Called when the set of unavailable stores changes; empty if all are reachable. */
  readonly onWaiting?: (stores: readonly UnavailableStore[], reason: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Starts a service, retrying with backoff while a store that it needs is down. Until then `/readyz`
 * answers 503 and names the stores to operators.
 * @returns undefined if the process was asked to stop first.
 * @throws errors that waiting won't fix.
 */
export async function startWithRetries<T>(options: RetriedStart<T>): Promise<T | undefined> {
  const { name, config, log, signal } = options;
  const checks = reachChecks(config);
  const needed = neededStores(config);
  const backOff = new BackOff();
  let stopListening: (() => Promise<void>) | undefined;
  let told: string | undefined;
  let reason = "";
  /** @returns whether any store is unavailable. */
  const look = async (hasFailed: boolean): Promise<boolean> => {
    const { checks: found } = await runChecks(name, checks, false);
    const away = needed.flatMap((store) => {
      const check = found[store];
      return check && isAway(check) ? [{ store, error: String(check.detail?.error) }] : [];
    });
    const names = away.map(({ store }) => store).join();
    // If all are reachable, the next attempt shows whether something is still down.
    if (told !== names && (names || hasFailed) && !signal.aborted) {
      options.onWaiting?.(away, reason);
      told = names;
    }
    return away.length > 0;
  };
  while (!signal.aborted) {
    if (stopListening) {
      await pause(backOff.next(), signal);
      if (signal.aborted) break;
      if (await look(false)) continue;
    }
    try {
      const started = await options.attempt();
      await stopListening?.();
      if (stopListening)
        log.info({ attempts: backOff.attempts }, "all stores are reachable: started");
      return started;
    } catch (error) {
      if (signal.aborted || !isStoreUnavailable(error)) throw error;
      reason = explainFailure(error, name);
      if (!stopListening) {
        log.warn({ reason }, "waiting for an unavailable store");
        stopListening = await options.listen(waitingHandler(name, config, checks));
      }
      await look(true);
    }
  }
  await stopListening?.();
  return undefined;
}

/** Stores required to start any service. The others only disable part of it; without Redis, no emails are sent. */
function neededStores(config: object): string[] {
  const { jobsUrl = "" } = config as { jobsUrl?: string };
  const always = ["database", "event_log", "keys"];
  return schemeOf(jobsUrl) === "postgres" ? [...always, "jobs"] : always;
}

/** A store that refuses the connection is up: the next attempt shows what is wrong with it. */
function isAway({ ok, detail }: CheckResult): boolean {
  return !ok && !/^(28|3D)/.test(String(detail?.error));
}

function waitingHandler(
  name: string,
  config: object,
  checks: ReturnType<typeof reachChecks>,
): WaitingHandler {
  const { trustProxyHops = 0, publicUrl } = config as Partial<Front>;
  const isOperator = operatorCheck({ trustProxyHops, publicUrl });
  // The service itself is the check that fails even if all stores are reachable.
  const start = async () => ({ ok: false, detail: { waiting: true } });
  const ask = shareResult(() => runChecks(name, { ...checks, start }, false), READINESS_CACHE_MS);
  return (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0];
    const answer = (code: number, body: object) => {
      response.writeHead(code, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
      });
      response.end(JSON.stringify(body));
    };
    if (path === "/healthz") return answer(200, { status: "ok", service: name });
    if (path === "/readyz")
      return void ask().then((readiness) =>
        answer(503, isOperator(request) ? readiness : { status: readiness.status }),
      );
    response.setHeader("retry-after", "5");
    answer(503, fail("unavailable", messages.unavailable));
  };
}

/** Timeout for a store in milliseconds. */
const LIMIT_MS = 1_500;

/** Settings that name a store, and its name in `/readyz`. */
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

/** Returns a reachability check for each configured store. Folders need none. */
function reachChecks(config: object): Record<string, ReadinessCheck> {
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
    // A message may contain addresses; the code does not.
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
  const limits = { connectMs: LIMIT_MS, statementMs: LIMIT_MS };
  await withClient({ url, name: "reach", ...limits }, (client) => client.query("select 1"));
}

function connect(place: Place): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = net.connect({ ...place, timeout: LIMIT_MS }, resolve);
  socket.on("error", reject);
  socket.on("timeout", () => reject(new Error("time limit")));
  return promise.finally(() => socket.destroy());
}
