import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { VISITOR } from "./actor.ts";
import { DomainError, messages } from "./errors.ts";

/** At most `max` in a window of `windowMs` that starts with the first. */
export interface Window {
  readonly max: number;
  readonly windowMs: number;
}

/** Once `after` calls were made, one more only `everyMs` after the last; forgotten after `resetMs`. */
export interface Pace {
  readonly after: number;
  readonly everyMs: number;
  readonly resetMs: number;
}

export interface LimitRule {
  /** By address; of IPv6 its /64. Counted before the caller is known. */
  readonly ip?: Window;
  /** By account, in addition. */
  readonly account?: Window;
  /** By account or, for a visitor, by address. */
  readonly pace?: Pace;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Each route names one of these classes; what is counted in one does not count in another. */
export const limitClasses = {
  /** Health and metrics. */
  probe: {},
  read: { ip: { max: 600, windowMs: MINUTE }, account: { max: 600, windowMs: MINUTE } },
  /** Any page of a search's results; a new search spends `search` besides, from the handler. */
  search_page: { ip: { max: 300, windowMs: MINUTE }, account: { max: 300, windowMs: MINUTE } },
  search: {
    ip: { max: 120, windowMs: MINUTE },
    account: { max: 120, windowMs: MINUTE },
    pace: { after: 10, everyMs: 6_000, resetMs: MINUTE },
  },
  /** A whole e-mail address or phone number as the search term; spent by the handler. */
  contact_search: { ip: { max: 50, windowMs: DAY }, account: { max: 200, windowMs: DAY } },
  write: { ip: { max: 300, windowMs: MINUTE }, account: { max: 300, windowMs: MINUTE } },
  submit: { ip: { max: 30, windowMs: 10 * MINUTE }, account: { max: 30, windowMs: 10 * MINUTE } },
  /** Counting a view of a report. */
  view: { ip: { max: 120, windowMs: MINUTE } },
  /** Following the link of a mail. */
  link: { ip: { max: 30, windowMs: 10 * MINUTE } },
  /** Asking for a mail. */
  mail: { ip: { max: 10, windowMs: 10 * MINUTE }, account: { max: 10, windowMs: 10 * MINUTE } },
  sign_in: { ip: { max: 20, windowMs: MINUTE } },
  /** Sign-ins to one account from anywhere; spent by the handler, keyed by a blind index. */
  sign_in_account: { ip: { max: 10, windowMs: 15 * MINUTE } },
  /** Refreshing and ending a session. */
  session: { ip: { max: 120, windowMs: MINUTE } },
  /** Opening sealed data. */
  reveal: { account: { max: 60, windowMs: 10 * MINUTE }, ip: { max: 120, windowMs: 10 * MINUTE } },
  /** Addresses that lead nowhere. */
  not_found: { ip: { max: 120, windowMs: MINUTE } },
} as const satisfies Record<string, LimitRule>;

export type LimitClass = keyof typeof limitClasses;

/** Too many requests; `retryAfter` in whole seconds, at least 1. */
export class RateLimited extends DomainError {
  readonly retryAfter: number;
  constructor(retryAfterMs: number) {
    super("too_many_requests", messages.too_many_requests);
    this.retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}

/** Counters that are kept, at most; the oldest go first. */
const KEPT = 50_000;

/** The address, or the /64 that one IPv6 subscriber has. An IPv4 address in IPv6 counts as IPv4. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = new ipaddr.IPv6([...(parsed as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}

/** Keeps the pace of callers in memory. `now` in milliseconds. */
export function createPacer({ after, everyMs, resetMs }: Pace) {
  const seen = new Map<string, { count: number; last: number }>();
  /** @returns milliseconds to wait, 0 when the call may go on (and is counted). */
  return (key: string, now: number): number => {
    const before = seen.get(key);
    const count = before && now - before.last < resetMs ? before.count : 0;
    if (before && count >= after && now - before.last < everyMs) return before.last + everyMs - now;
    seen.delete(key);
    seen.set(key, { count: count + 1, last: now });
    if (seen.size > KEPT) seen.delete(seen.keys().next().value as string);
    return 0;
  };
}

export interface Limits {
  /** Counts a request against the address, before the caller is known. @throws {RateLimited} */
  byAddress(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /** Counts it against the account, and keeps the pace. @throws {RateLimited} */
  byCaller(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /**
   * Counts a class that no route names, from within a handler.
   * @param key counted instead of address and account, for instance the blind index of an address.
   * @throws {RateLimited}
   */
  spend(request: FastifyRequest, limit: LimitClass, key?: string): Promise<void>;
}

type Limiter = (request: FastifyRequest, key: string) => Promise<void>;

/** Sets up the counters, in memory. Requests of the sample loader are not counted. */
export async function createLimits(app: FastifyInstance, enabled: boolean): Promise<Limits> {
  await app.register(rateLimit, { global: false, cache: KEPT });
  const keys = new WeakMap<FastifyRequest, string>();

  function windowLimiter(name: string, window: Window): Limiter {
    const count = app.createRateLimit({
      max: window.max,
      timeWindow: window.windowMs,
      keyGenerator: (request) => `${name}:${keys.get(request)}`,
    });
    return async (request, key) => {
      keys.set(request, key);
      const result = await count(request);
      if (!result.isAllowed && result.isExceeded) throw new RateLimited(result.ttl);
    };
  }

  const limiters = new Map<string, Limiter>();
  for (const [name, rule] of Object.entries(limitClasses) as [LimitClass, LimitRule][]) {
    for (const scope of ["ip", "account"] as const) {
      const window = rule[scope];
      if (window) limiters.set(`${name}:${scope}`, windowLimiter(`${name}:${scope}`, window));
    }
    if (rule.pace) {
      const pace = createPacer(rule.pace);
      limiters.set(`${name}:pace`, async (_request, key) => {
        const wait = pace(key, Date.now());
        if (wait > 0) throw new RateLimited(wait);
      });
    }
  }

  const exempt = (request: FastifyRequest) => !enabled || request.origin === "sample";
  async function count(request: FastifyRequest, name: string, key: string): Promise<void> {
    if (!exempt(request)) await limiters.get(name)?.(request, key);
  }
  const limits: Limits = {
    byAddress: (request, limit) => count(request, `${limit}:ip`, addressKey(request.ip)),
    async byCaller(request, limit) {
      const { id } = request.actor;
      const visitor = id === VISITOR.id;
      if (!visitor) await count(request, `${limit}:account`, id);
      await count(request, `${limit}:pace`, visitor ? addressKey(request.ip) : id);
    },
    async spend(request, limit, key) {
      if (key !== undefined) return count(request, `${limit}:ip`, key);
      await limits.byAddress(request, limit);
      await limits.byCaller(request, limit);
    },
  };
  return limits;
}
