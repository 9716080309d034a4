import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import rateLimit, { type RateLimitOptions } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fixedKey } from "#vault/keys/key-store.ts";
import type { KeepPace, Named, Pace, Window } from "./port.ts";
import type { CountersState, SharedCounters } from "./redis/shared-counters.ts";

/** Request counters, by rule and key (an address, an account). They never fail. */
export interface Counters {
  /** Counts a call. @returns milliseconds to wait, 0 if it may proceed. */
  hit(rule: Named<Window>, key: string): Promise<number>;
  /** Whether a call with this key was counted in the current window. It counts nothing itself. */
  wasHit(rule: Named<Window>, key: string): Promise<boolean>;
  /** Counts a call if it may proceed. @returns milliseconds to wait, 0 if it may. */
  pace(rule: Named<Pace>, key: string): Promise<number>;
  state(): CountersState;
}

type CreateRateLimit = FastifyInstance["createRateLimit"];
type RateLimit = ReturnType<CreateRateLimit>;

/** The library implements the limits; the pace, which it lacks, is ours. Both use the same store. */
interface Store {
  readonly limitOf: (rule: Named<Window>) => RateLimit;
  readonly keepPace: KeepPace;
}

/** Stands in for a request to the library, which reads only these fields and `routeOptions`. */
interface Counted extends Window {
  readonly key: string;
  readonly routeOptions: object;
}
const counted = (request: FastifyRequest) => request as unknown as Counted;

/** Counts on the shared server, or with the rule's fallback. @param app holds the library's plugins. */
export async function createCounters(
  app: FastifyInstance,
  shared?: SharedCounters,
): Promise<Counters> {
  const live = shared?.key ?? fixedKey(randomBytes(32));
  let bytes = live.current();
  let secret = createSecretKey(bytes);
  const keyOf = ({ name }: Named<object>, key: string) => {
    // Cached until the service key changes, since creating it costs as much as hashing.
    if (live.current() !== bytes) {
      bytes = live.current();
      secret = createSecretKey(bytes);
    }
    const hash = createHmac("sha256", secret).update(`${name} ${key}`).digest("base64url");
    return `${name}:${hash.slice(0, 22)}`;
  };
  const memory = await createMemoryStore(app);
  const server = shared && (await createServerStore(app, shared));
  function ask<T>(rule: Named<object>, open: T, call: (store: Store) => Promise<T>): Promise<T> {
    if (!shared || !server) return call(memory);
    const whenUnavailable = async () => (rule.whenUnavailable === "open" ? open : call(memory));
    return shared.ask(() => call(server), whenUnavailable);
  }

  return {
    hit: (rule, key) => ask(rule, 0, (store) => count(store, rule, keyOf(rule, key))),
    async wasHit(rule, key) {
      const any = { ...rule, max: 0 };
      const look = (store: Store) => count(store, any, keyOf(rule, key), { increment: false });
      return (await ask(rule, 0, look)) > 0;
    },
    pace: (rule, key) => ask(rule, 0, (store) => store.keepPace(rule, keyOf(rule, key))),
    state: () => shared?.state() ?? { reachable: true, fallbacks: 0 },
  };
}

/** @returns milliseconds to wait if there were more than `max` calls, else 0. */
async function count(
  { limitOf }: Store,
  rule: Named<Window>,
  key: string,
  options?: { increment: boolean },
): Promise<number> {
  const call: Counted = { ...rule, key, routeOptions: {} };
  const found = await limitOf(rule)(call as unknown as FastifyRequest, options);
  // `isAllowed` concerns callers on an allow list, which is not used here.
  return !found.isAllowed && found.isExceeded ? Math.max(1, found.ttl) : 0;
}

async function createMemoryStore(app: FastifyInstance): Promise<Store> {
  const create = await register(app);
  // Each rule has its own store, so that a flood of keys for one rule doesn't evict another's.
  const options: RateLimitOptions = { cache: MAX_KEYS };
  const limits = new Map<string, RateLimit>();
  function limitOf({ name }: Named<Window>): RateLimit {
    const limit = limits.get(name) ?? create(options);
    limits.set(name, limit);
    return limit;
  }
  return { limitOf, keepPace: createMemoryPace() };
}

async function createServerStore(app: FastifyInstance, shared: SharedCounters): Promise<Store> {
  const limit = (await register(app, shared.client))();
  return { limitOf: () => limit, keepPace: shared.keepPace };
}

/** The plugin supports one kind of store per instance, so each is registered in its own scope. */
async function register(
  app: FastifyInstance,
  redis?: SharedCounters["client"],
): Promise<CreateRateLimit> {
  let create: CreateRateLimit | undefined;
  await app.register(async (scope) => {
    await scope.register(rateLimit, {
      global: false,
      redis,
      // The client already prefixes its keys.
      nameSpace: "",
      keyGenerator: (request) => counted(request).key,
      max: (request) => counted(request).max,
      timeWindow: (request) => counted(request).windowMs,
    });
    create = scope.createRateLimit;
  });
  return create as CreateRateLimit;
}

/** Maximum keys kept per rule (LRU). */
export const MAX_KEYS = 20_000;

export function createMemoryPace(now: () => number = () => Date.now()): KeepPace {
  const calls = new Map<string, { count: number; last: number }>();
  return async ({ after, everyMs, resetMs }, key) => {
    const time = now();
    const before = calls.get(key);
    const isKnown = before !== undefined && time - before.last < resetMs;
    if (isKnown && before.count >= after && time - before.last < everyMs)
      return before.last + everyMs - time;
    calls.delete(key);
    calls.set(key, { count: (isKnown ? before.count : 0) + 1, last: time });
    if (calls.size > MAX_KEYS) calls.delete(calls.keys().next().value as string);
    return 0;
  };
}
