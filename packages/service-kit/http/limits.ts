import type { FastifyInstance, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { Counter, Gauge } from "prom-client";
import type { CounterStore, Memory, Named, Pace, WhenAway, Window } from "../counters/port.ts";
import { VISITOR } from "./actor.ts";
import { DomainError, messages } from "./errors.ts";

export interface LimitRule {
  /** By address; of IPv6 its /64. Counted before the caller is known. */
  readonly ip?: Window;
  /** By account, in addition. */
  readonly account?: Window;
  /** By account or, for a visitor, by address. */
  readonly pace?: Pace;
  /** While the shared counters are out of reach; `memory` when absent. */
  readonly whenAway?: WhenAway;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Each route names one of these classes; what is counted in one does not count in another. */
export const limitClasses = {
  /** Health and metrics. */
  probe: {},
  read: {
    ip: { max: 600, windowMs: MINUTE },
    account: { max: 600, windowMs: MINUTE },
    whenAway: "open",
  },
  /** Any page of a search's results; a new search spends `search` besides, from the handler. */
  search_page: {
    ip: { max: 300, windowMs: MINUTE },
    account: { max: 300, windowMs: MINUTE },
    whenAway: "open",
  },
  search: {
    ip: { max: 120, windowMs: MINUTE },
    account: { max: 120, windowMs: MINUTE },
    pace: { after: 10, everyMs: 6_000, resetMs: MINUTE },
    whenAway: "open",
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

/** The address, or the /64 that one IPv6 subscriber has. An IPv4 address in IPv6 counts as IPv4. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = new ipaddr.IPv6([...(parsed as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
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
  /** Remembers an item of a caller, wherever the counters are shared. */
  remember(rule: Named<Memory>, caller: string, item: string): Promise<void>;
  remembers(rule: Named<Memory>, caller: string, item: string): Promise<boolean>;
}

/** Applies the table over the counters. Requests of the sample loader are not counted. */
export function createLimits(counters: CounterStore, enabled: boolean): Limits {
  const rules: Readonly<Record<string, LimitRule>> = limitClasses;

  async function count(
    request: FastifyRequest,
    limit: LimitClass,
    scope: "ip" | "account" | "pace",
    key: string,
  ): Promise<void> {
    if (!enabled || request.origin === "sample") return;
    const rule = rules[limit] as LimitRule;
    const named = { name: `${limit}:${scope}`, whenAway: rule.whenAway ?? "memory" } as const;
    if (scope === "pace") {
      if (!rule.pace) return;
      const wait = await counters.pace({ ...named, ...rule.pace }, key);
      if (wait > 0) throw new RateLimited(wait);
      return;
    }
    const window = rule[scope];
    if (!window) return;
    const { count, leftMs } = await counters.hit({ ...named, ...window }, key);
    if (count > window.max) throw new RateLimited(leftMs);
  }

  const limits: Limits = {
    byAddress: (request, limit) => count(request, limit, "ip", addressKey(request.ip)),
    async byCaller(request, limit) {
      const { id } = request.actor;
      const visitor = id === VISITOR.id;
      if (!visitor) await count(request, limit, "account", id);
      await count(request, limit, "pace", visitor ? addressKey(request.ip) : id);
    },
    async spend(request, limit, key) {
      if (key !== undefined) return count(request, limit, "ip", key);
      await limits.byAddress(request, limit);
      await limits.byCaller(request, limit);
    },
    remember: (rule, caller, item) => counters.remember(rule, caller, item),
    remembers: (rule, caller, item) => counters.remembers(rule, caller, item),
  };
  return limits;
}

/** How the shared counters are, in the metrics of a service. */
export function measureCounters(app: FastifyInstance, counters: CounterStore): void {
  const registers = [app.metrics.registry];
  new Gauge({
    name: "rate_limit_counters_reachable",
    help: "1 while the counters of requests can be reached",
    registers,
    collect() {
      this.set(counters.state().reachable ? 1 : 0);
    },
  });
  new Counter({
    name: "rate_limit_fallbacks_total",
    help: "Counts that were made in memory or left out, because the shared counters were away",
    registers,
    collect() {
      this.reset();
      this.inc(counters.state().fallbacks);
    },
  });
}
