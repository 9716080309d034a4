import { isIP } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import { mailboxOf } from "#contracts/account/email.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { VISITOR } from "./actor.ts";
import type { Counters } from "./counters/counters.ts";
import { messages } from "./errors.ts";
import { type LimitClass, type LimitRule, limitClasses } from "./limit-classes.ts";

/** Too many requests; `retryAfter` in whole seconds, at least 1. */
export class RateLimited extends DomainError {
  readonly retryAfter: number;
  constructor(retryAfterMs: number, message: string = messages.too_many_requests) {
    super("too_many_requests", message);
    this.retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}

/**
 * The address, or for IPv6 the /64 that one subscriber has. An IPv4 address in IPv6 counts as IPv4.
 */
export const addressKey = (address: string): string =>
  isIP(address) ? normalizeIP(address) : "unknown";

/** The /16 of an IPv4 address, or the /48 of an IPv6 one, which a site or a small provider has. */
export function wideAddressKey(address: string): string {
  const key = addressKey(address);
  if (isIP(key) === 4) return key.split(".", 2).join(".");
  return isIP(key) === 6 ? normalizeIP(key, 48) : key;
}

export interface Limits {
  /** The counters, which other services of the process may share. */
  readonly counters: Counters;
  /** Counts a request against the address, before the caller is known. @throws {RateLimited} */
  byAddress(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /** Counts it against the account, and keeps the pace. @throws {RateLimited} */
  byCaller(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /**
   * Counts it against the mailbox of an e-mail address, whether anybody has it or not; called by a
   * handler. @throws {RateLimited}
   */
  byMailbox(request: FastifyRequest, limit: LimitClass, email: string): Promise<void>;
  /** Counts it against the name of a person who is searched; called by a handler. @throws {RateLimited} */
  byName(request: FastifyRequest, limit: LimitClass, name: string): Promise<void>;
  /** Counts a class that no route names; called by a handler. @throws {RateLimited} */
  spend(request: FastifyRequest, limit: LimitClass): Promise<void>;
}

/**
 * Applies the table of limits, using the counters. Requests of the sample loader are not counted.
 * @param isLifted whether those that can be are lifted now.
 */
export function createLimits(
  counters: Counters,
  enabled: boolean,
  isLifted: () => boolean = () => false,
): Limits {
  const rules: Readonly<Record<string, LimitRule>> = limitClasses;

  async function count(
    request: FastifyRequest,
    limit: LimitClass,
    scope: "ip" | "account" | "mailbox" | "name" | "pace" | 56 | 48,
    key: string,
  ): Promise<void> {
    if (!enabled || request.origin === "sample") return;
    const rule = rules[limit] as LimitRule;
    if (rule.canBeLifted && isLifted()) return;
    const named = { name: `${limit}:${scope}`, whenAway: rule.whenAway ?? "memory" } as const;
    let wait = 0;
    if (scope === "pace") {
      if (rule.pace) wait = await counters.pace({ ...named, ...rule.pace }, key);
    } else {
      const window = typeof scope === "number" ? rule.networks?.[scope] : rule[scope];
      if (window) wait = await counters.hit({ ...named, ...window }, key);
    }
    if (wait > 0) throw new RateLimited(wait);
  }

  const limits: Limits = {
    counters,
    async byAddress(request, limit) {
      const key = addressKey(request.ip);
      await count(request, limit, "ip", key);
      if (!rules[limit]?.networks || isIP(key) !== 6) return;
      for (const prefix of [56, 48] as const)
        await count(request, limit, prefix, normalizeIP(key, prefix));
    },
    async byCaller(request, limit) {
      const { id } = request.actor;
      const visitor = id === VISITOR.id;
      if (!visitor) await count(request, limit, "account", id);
      await count(request, limit, "pace", visitor ? addressKey(request.ip) : id);
    },
    byMailbox: (request, limit, email) => count(request, limit, "mailbox", mailboxOf(email)),
    byName: (request, limit, name) => count(request, limit, "name", name),
    async spend(request, limit) {
      await limits.byAddress(request, limit);
      await limits.byCaller(request, limit);
    },
  };
  return limits;
}

/** Exports the state of the shared counters in a service's metrics. */
export function measureCounters(app: FastifyInstance, counters: Counters): void {
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
