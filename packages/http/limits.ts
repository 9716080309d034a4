import { isIP } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import { mailboxOf } from "#contracts/account/email.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { VISITOR } from "./actor.ts";
import type { Counters } from "./counters/counters.ts";
import type { Pace, WhenAway, Window } from "./counters/port.ts";
import { messages } from "./errors.ts";

/** Too many requests; `retryAfter` in whole seconds, at least 1. */
export class RateLimited extends DomainError {
  readonly retryAfter: number;
  constructor(retryAfterMs: number, message: string = messages.too_many_requests) {
    super("too_many_requests", message);
    this.retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}

/** The address, or for IPv6 the /64 that one subscriber has. An IPv4 address in IPv6 counts as IPv4. */
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
  /** Counts it against the mailbox of an address, whether anyone has it or not. @throws {RateLimited} */
  byMailbox(request: FastifyRequest, limit: LimitClass, email: string): Promise<void>;
  /** Counts it against the name of a person who is searched; called by a handler. @throws {RateLimited} */
  byName(request: FastifyRequest, limit: LimitClass, name: string): Promise<void>;
  /** Counts a class that no route names; called by a handler. @throws {RateLimited} */
  spend(request: FastifyRequest, limit: LimitClass): Promise<void>;
}

/** Applies the table of limits, but not to samples. @param isLifted whether those that can be are lifted now. */
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

interface LimitRule {
  /** By address (for IPv6 by its /64). Counted before the caller is known. */
  readonly ip?: Window;
  /** By the /56 and the /48 of an IPv6 address, in addition: a site may have thousands of /64. */
  readonly networks?: Readonly<Record<56 | 48, Window>>;
  /** By account, in addition. */
  readonly account?: Window;
  /** By the mailbox that the caller names, from however many networks. */
  readonly mailbox?: Window;
  /** By the person's name that the caller searches for, over all accounts and networks. */
  readonly name?: Window;
  /** By account or, for a visitor, by address. */
  readonly pace?: Pace;
  /** What applies while the shared counters are out of reach; `memory` when absent. */
  readonly whenAway?: WhenAway;
  /** Whether it can be lifted for a while by a setting: reading and searching only. */
  readonly canBeLifted?: true;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Each route names one of these classes. Each class has its own counts. */
export const limitClasses = {
  probe: {},
  read: {
    ip: { max: 600, windowMs: MINUTE },
    account: { max: 600, windowMs: MINUTE },
    whenAway: "open",
    canBeLifted: true,
  },
  /** A page or a picture that is rendered on the server, a sitemap, and the console's page; no file of the build. */
  page: {
    ip: { max: 300, windowMs: MINUTE },
    networks: { 56: { max: 600, windowMs: MINUTE }, 48: { max: 1200, windowMs: MINUTE } },
    whenAway: "open",
    canBeLifted: true,
  },
  /** Any page of search results; the handler also spends `search` or `page_turn`. */
  search_page: {
    ip: { max: 300, windowMs: MINUTE },
    account: { max: 300, windowMs: MINUTE },
    whenAway: "open",
    canBeLifted: true,
  },
  search: {
    ip: { max: 120, windowMs: MINUTE },
    account: { max: 120, windowMs: MINUTE },
    pace: { after: 10, everyMs: 6_000, resetMs: MINUTE },
    whenAway: "open",
    canBeLifted: true,
  },
  /** Turning pages: thirty at any speed, then one every two seconds. Spent by the handler. */
  page_turn: {
    pace: { after: 30, everyMs: 2_000, resetMs: MINUTE },
    whenAway: "open",
    canBeLifted: true,
  },
  /** A whole email address or phone number in the search. Spent by the handler, like the next two. */
  contact_search: {
    ip: { max: 300, windowMs: DAY },
    networks: { 56: { max: 300, windowMs: DAY }, 48: { max: 600, windowMs: DAY } },
    account: { max: 300, windowMs: DAY },
  },
  /** The same by any other confirmed account. */
  first_contact_search: {
    ip: { max: 50, windowMs: DAY },
    networks: { 56: { max: 50, windowMs: DAY }, 48: { max: 100, windowMs: DAY } },
    account: { max: 5, windowMs: DAY },
  },
  /** Different email addresses and phone numbers that are searched together with one name. */
  contact_of_name: { name: { max: 5, windowMs: DAY } },
  write: { ip: { max: 300, windowMs: MINUTE }, account: { max: 300, windowMs: MINUTE } },
  submit: { ip: { max: 30, windowMs: 10 * MINUTE }, account: { max: 30, windowMs: 10 * MINUTE } },
  /** Sending a file, or taking it back: ten for each of several reports. */
  upload: { ip: { max: 120, windowMs: 10 * MINUTE }, account: { max: 120, windowMs: 10 * MINUTE } },
  view: { ip: { max: 120, windowMs: MINUTE } },
  link: { ip: { max: 30, windowMs: 10 * MINUTE } },
  /** Looking, by the link of an email, how far a report is. */
  report_link: { ip: { max: 120, windowMs: 10 * MINUTE } },
  /** Switching emails off by their links. A provider of email does it for many of its users. */
  unsubscribe: { ip: { max: 300, windowMs: MINUTE } },
  mail: { ip: { max: 10, windowMs: 10 * MINUTE }, account: { max: 10, windowMs: 10 * MINUTE } },
  /** Making an account: the answer tells of addresses that have one. */
  register: { ip: { max: 5, windowMs: 60 * MINUTE } },
  /** Accounts for one mailbox, each of which replaces the one before; spent by the handler. */
  register_mailbox: { mailbox: { max: 10, windowMs: DAY } },
  /** Links for a new password that unknown browsers ask for, to one mailbox; spent by the handler. */
  reset_mailbox: { mailbox: { max: 20, windowMs: DAY } },
  /** Reports whose address is corrected to one mailbox; spent by the handler. */
  correct_mailbox: { mailbox: { max: 10, windowMs: DAY } },
  /** Letters that staff are asked to check; spent by the handler. */
  banner: { account: { max: 20, windowMs: DAY } },
  /** Asking for the page on which the fee is paid: each is a call to the payment service. */
  checkout: {
    account: { max: 30, windowMs: 10 * MINUTE },
    ip: { max: 60, windowMs: 10 * MINUTE },
  },
  /** What a payment service tells. Each message of a stranger costs the check of a signature. */
  payment_notice: { ip: { max: 300, windowMs: MINUTE } },
  inquiry: { ip: { max: 5, windowMs: 60 * MINUTE } },
  sign_in: { ip: { max: 20, windowMs: MINUTE } },
  session: { ip: { max: 120, windowMs: MINUTE } },
  reveal: { account: { max: 60, windowMs: 10 * MINUTE }, ip: { max: 120, windowMs: 10 * MINUTE } },
  /** Fetching a file that a reveal has opened: ten for each. */
  revealed_file: {
    account: { max: 600, windowMs: 10 * MINUTE },
    ip: { max: 1200, windowMs: 10 * MINUTE },
  },
  /** Emails to addresses that someone names; spent by the handler. */
  email_change: { account: { max: 5, windowMs: DAY }, ip: { max: 20, windowMs: DAY } },
  /** A page of an export of one's own data; the first one also spends `export`. */
  export_page: {
    account: { max: 120, windowMs: 10 * MINUTE },
    ip: { max: 240, windowMs: 10 * MINUTE },
  },
  /** An export of one's own data; spent by the handler. */
  export: { account: { max: 5, windowMs: DAY } },
  /** Recording an export of one of the console's lists, which each reads a whole table. */
  list_export: { account: { max: 20, windowMs: DAY }, ip: { max: 200, windowMs: DAY } },
  not_found: { ip: { max: 120, windowMs: MINUTE } },
} as const satisfies Record<string, LimitRule>;

export type LimitClass = keyof typeof limitClasses;
