import { createHmac } from "node:crypto";
import { Redis } from "ioredis";
import { withDeadline } from "../../lifecycle/deadline.ts";
import { type CounterStore, CountersAway } from "../port.ts";
import { HIT, PACE, REMEMBER } from "./scripts.ts";

/** Milliseconds until a request goes on without the counters. */
const CALL_LIMIT = 500;
/** Milliseconds without an answer until the connection counts as dead and is made anew. */
const SOCKET_LIMIT = 3_000;
const CONNECT_LIMIT = 2_000;
/** Milliseconds between tries to connect, at most. */
const RETRY_LIMIT = 2_000;

export interface RedisCountersOptions {
  /** `redis://` or `rediss://`, with credentials. */
  readonly url: string;
  /** Keyed hashes stand for addresses and accounts; the same key in every process. */
  readonly key: Buffer;
  /** Told once when the server goes, with the error's class, and once when it is back. */
  readonly onChange?: (reachable: boolean, reason?: string) => void;
  /** Milliseconds that a call may take; 500 when absent. */
  readonly callLimitMs?: number;
}

interface Scripts {
  countHit(key: string, windowMs: number): Promise<[count: number, leftMs: number]>;
  keepPace(key: string, after: number, everyMs: number, resetMs: number): Promise<number>;
  rememberItem(key: string, item: string, keep: number, forMs: number): Promise<null>;
}

/**
 * Counts on a Redis server, together with every process that has its URL and key. Resolves when the
 * server was reached, or could not be within two seconds: it is then tried again for ever.
 */
export async function openRedisCounters(options: RedisCountersOptions): Promise<CounterStore> {
  const { url, key: hmacKey, onChange = () => undefined, callLimitMs = CALL_LIMIT } = options;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_LIMIT,
    socketTimeout: SOCKET_LIMIT,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A call that was given up is not counted later.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RETRY_LIMIT),
    // A server that became a replica takes no writes: look for the new master behind the name.
    reconnectOnError: ({ message }) => message.startsWith("READONLY"),
    scripts: {
      countHit: { lua: HIT, numberOfKeys: 1 },
      keepPace: { lua: PACE, numberOfKeys: 1 },
      rememberItem: { lua: REMEMBER, numberOfKeys: 1 },
    },
  }) as Redis & Scripts;

  let reachable = false;
  /** The server kept a call waiting: the next ones do not wait until it answered something. */
  let isSilent = false;
  let closing = false;
  let told: boolean | undefined;
  function tell(next: boolean, reason?: string): void {
    reachable = next;
    if (told === next || closing) return;
    told = next;
    onChange(next, reason);
  }
  client.on("ready", () => {
    isSilent = false;
    tell(true);
  });
  client.on("error", (error: NodeJS.ErrnoException) => tell(false, error.code ?? error.name));
  client.on("close", () => tell(false, "closed"));

  async function call<T>(work: () => Promise<T>): Promise<T> {
    if (isSilent || client.status !== "ready") throw new CountersAway("the counters are away");
    const answer = work();
    try {
      const found = await answeredWithin(answer, callLimitMs);
      tell(true);
      return found;
    } catch (error) {
      if (error instanceof SilentServer) {
        isSilent = true;
        answer.then(
          () => {
            isSilent = false;
            tell(true);
          },
          () => undefined,
        );
      }
      const { code, name } = error as NodeJS.ErrnoException;
      tell(false, code ?? name);
      throw new CountersAway("the counters are away", { cause: error });
    }
  }

  const hash = (text: string) =>
    createHmac("sha256", hmacKey).update(text).digest().subarray(0, 16).toString("base64url");
  const keyOf = (rule: { readonly name: string }, key: string) =>
    `registry:limits:${rule.name}:${hash(`${rule.name} ${key}`)}`;

  // A failure is told by the events, and tried again.
  const first = client.connect();
  await withDeadline(first, CONNECT_LIMIT, () => new SilentServer()).catch(() => undefined);
  return {
    async hit(rule, key) {
      const [count, leftMs] = await call(() => client.countHit(keyOf(rule, key), rule.windowMs));
      return { count, leftMs };
    },
    pace: (rule, key) =>
      call(() => client.keepPace(keyOf(rule, key), rule.after, rule.everyMs, rule.resetMs)),
    async remember(rule, key, item) {
      await call(() => client.rememberItem(keyOf(rule, key), hash(item), rule.keep, rule.forMs));
    },
    remembers: async (rule, key, item) =>
      (await call(() => client.zscore(keyOf(rule, key), hash(item)))) !== null,
    state: () => ({ shared: true, reachable: reachable && !isSilent, fallbacks: 0 }),
    async close() {
      closing = true;
      client.disconnect();
    },
  };
}

class SilentServer extends Error {
  override readonly name = "SilentServer";
}

/** A process that was busy for that long looks at what arrived meanwhile before it gives up. */
async function answeredWithin<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new SilentServer())), ms);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
