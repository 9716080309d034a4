import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import type { KeyStore, LiveKey } from "#vault/keys/key-store.ts";
import type { ReadinessCheck } from "../../health.ts";
import type { KeepPace } from "../port.ts";

/** Maximum milliseconds for a call, and for a connection without a reply. */
const CALL_LIMIT = 500;
const CONNECT_LIMIT = 2_000;
/** Maximum milliseconds between connection attempts. */
const RETRY_LIMIT = 2_000;

/**
 * KEYS: calls. ARGV: free calls, ms between later ones, ms until forgotten. Returns ms to wait, by the server's
 * clock.
 */
const PACE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local after, every, reset = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local seen = redis.call('HMGET', KEYS[1], 'count', 'last')
local count, last = tonumber(seen[1] or 0), tonumber(seen[2] or 0)
-- If the clock was set back, no one waits longer than the pace allows.
local wait = math.min(every, last + every - now)
if count >= after and wait > 0 then return wait end
redis.call('HSET', KEYS[1], 'count', count + 1, 'last', now)
redis.call('PEXPIRE', KEYS[1], reset)
return 0
`;

/** A Redis server that several processes count on together. */
export interface SharedCounters {
  readonly client: Redis;
  /** Service key `limits`. Addresses and accounts are stored only as keyed hashes. */
  readonly key: LiveKey;
  readonly keepPace: KeepPace;
  /** Calls the server; falls back to `whenUnavailable` if that fails or times out. */
  ask<T>(call: () => Promise<T>, whenUnavailable: () => Promise<T>): Promise<T>;
  state(): CountersState;
  /** Pings the server, so that an outage is noticed before a request runs into it. */
  look(): Promise<CountersState>;
  /** Resolves when the server responds. @throws {CountersUnavailable} if it doesn't; another error if it refuses. */
  ping(): Promise<void>;
  close(): void;
}

/** The counters' server doesn't respond. */
export class CountersUnavailable extends Error {
  override readonly name = "CountersAway";
}

export interface CountersState {
  readonly reachable: boolean;
  /** Calls that were allowed or counted in memory because the server was down. */
  readonly fallbacks: number;
}

/**
 * Connects to the server at the URL. Returns undefined without a URL; limits then count in memory.
 * The server need not be up when the service starts: connecting is retried forever.
 * @param callLimitMs timeout of a call in milliseconds; 500 by default.
 * @throws {ConfigInvalid} if the scheme is neither `redis` nor `rediss`.
 */
export async function openSharedCounters(
  url: string | undefined,
  keys: Pick<KeyStore, "liveKey">,
  log: Pick<Logger, "info" | "warn">,
  callLimitMs = CALL_LIMIT,
): Promise<SharedCounters | undefined> {
  if (url === undefined) return undefined;
  const open = async () => connect(url, await keys.liveKey("limits"), log, callLimitMs);
  return chooseByScheme("RATE_LIMIT_URL", url, { redis: open, rediss: open });
}

async function connect(
  url: string,
  key: LiveKey,
  log: Pick<Logger, "info" | "warn">,
  callLimitMs: number,
): Promise<SharedCounters> {
  const { openRedis } = await import("#runtime/redis/open-redis.ts");
  const client = openRedis(url, {
    lazyConnect: true,
    keyPrefix: "registry:limits:",
    connectTimeout: CONNECT_LIMIT,
    commandTimeout: callLimitMs,
    // An unresponsive connection is replaced. Until the new one works, calls fail immediately.
    socketTimeout: callLimitMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A call that was given up on must not be counted later.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RETRY_LIMIT),
    // A server demoted to a replica refuses writes: resolve the name again to find the new master.
    reconnectOnError: ({ message }) => message.startsWith("READONLY"),
    scripts: { keepPace: { lua: PACE, numberOfKeys: 1 } },
  }) as Redis & { keepPace(key: string, ...args: number[]): Promise<number> };

  let closing = false;
  let reachable: boolean | undefined;
  let fallbacks = 0;
  function tell(next: boolean, reason?: string): void {
    if (closing || reachable === next) return;
    reachable = next;
    if (next) log.info("the rate-limit counters are shared");
    else log.warn({ reason }, "the rate-limit counters are unavailable");
  }
  const tellFailure = ({ code, name }: NodeJS.ErrnoException) => tell(false, code ?? name);
  client.on("ready", () => tell(true));
  client.on("error", tellFailure);
  client.on("close", () => tell(false, "closed"));

  // Failures are reported by events, and connecting is retried.
  await client.connect().catch(() => undefined);
  const state = () => ({ reachable: reachable === true, fallbacks });
  return {
    client,
    key,
    keepPace: ({ after, everyMs, resetMs }, name) => client.keepPace(name, after, everyMs, resetMs),
    async ask(call, whenUnavailable) {
      try {
        const answer = await call();
        tell(true);
        return answer;
      } catch (error) {
        tellFailure(error as Error);
        fallbacks += 1;
        return whenUnavailable();
      }
    },
    state,
    async look() {
      await client.ping().then(() => tell(true), tellFailure);
      return state();
    },
    async ping() {
      await client.ping().catch((error: Error) => {
        throw error.name === "ReplyError" ? error : new CountersUnavailable();
      });
    },
    close() {
      closing = true;
      client.disconnect();
    },
  };
}

/** Reports the state of the shared counters in `/readyz`. It is always ok: a service works without them. */
export function countersCheck(
  counters: SharedCounters | undefined,
): Readonly<Record<string, ReadinessCheck>> {
  if (!counters) return {};
  return { rate_limits: async () => ({ ok: true, detail: { ...(await counters.look()) } }) };
}
