import { isIP } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import { mailboxOf } from "#contracts/account/email.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { VISITOR } from "./actor.ts";
import type { Counters } from "./counters/counters.ts";
import type { Pace, WhenUnavailable, Window } from "./counters/port.ts";
import { messages } from "./errors.ts";

/** Too many requests; `retryAfter` in whole seconds, at least 1. */
export class RateLimited extends DomainError {
  readonly retryAfter: number;
  constructor(retryAfterMs: number, message: string = messages.too_many_requests) {
    super("too_many_requests", message);
    this.retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}

/** The address, or for IPv6 the subscriber's /64. An IPv4-mapped IPv6 address counts as IPv4. */
export const addressKey = (address: string): string =>
  isIP(address) ? normalizeIP(address) : "unknown";

/** The /16 of an IPv4 address, or the /48 of an IPv6 one, the size of a site or small provider. */
export function wideAddressKey(address: string): string {
  const key = addressKey(address);
  if (isIP(key) === 4) return key.split(".", 2).join(".");
  return isIP(key) === 6 ? normalizeIP(key, 48) : key;
}

export interface Limits {
  /** The counters, which other services in the process may share. */
  readonly counters: Counters;
  /** Counts a request by address, before the caller is identified. @throws {RateLimited} */
  byAddress(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /** Counts a request by account, and enforces the pace. @throws {RateLimited} */
  byCaller(request: FastifyRequest, limit: LimitClass): Promise<void>;
  /** Counts a request by mailbox, whether or not anyone uses it. @throws {RateLimited} */
  byMailbox(request: FastifyRequest, limit: LimitClass, email: string): Promise<void>;
  /** Counts a search by the name of the person searched for; called by a handler. @throws {RateLimited} */
  byName(request: FastifyRequest, limit: LimitClass, name: string): Promise<void>;
  /** Counts a request in a class that no route names; called by a handler. @throws {RateLimited} */
  spend(request: FastifyRequest, limit: LimitClass): Promise<void>;
}

/** Applies the table of limits, except to samples. @param isLifted whether liftable limits are lifted now. */
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
    const named = {
      name: `${limit}:${scope}`,
      whenUnavailable: rule.whenUnavailable ?? "memory",
    } as const;
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

/** Exports the state of the shared counters as metrics of the service. */
export function measureCounters(app: FastifyInstance, counters: Counters): void {
  const registers = [app.metrics.registry];
  new Gauge({
    name: "rate_limit_counters_reachable",
    help: "1 while the shared rate-limit counters are reachable",
    registers,
    collect() {
      this.set(counters.state().reachable ? 1 : 0);
    },
  });
  new Counter({
    name: "rate_limit_fallbacks_total",
    help: "Rate-limit checks counted in memory or skipped because the shared counters were unavailable",
    registers,
    collect() {
      this.reset();
      this.inc(counters.state().fallbacks);
    },
  });
}

interface LimitRule {
  /** By address (/64 for IPv6). Counted before the caller is identified. */
  readonly ip?: Window;
  /** Additionally by the /56 and /48 of an IPv6 address: a site may have thousands of /64s. */
  readonly networks?: Readonly<Record<56 | 48, Window>>;
  /** Additionally by account. */
  readonly account?: Window;
  /** By the mailbox that the caller names, across all networks. */
  readonly mailbox?: Window;
  /** By the name of the person searched for, across all accounts and networks. */
  readonly name?: Window;
  /** By account or, for a visitor, by address. */
  readonly pace?: Pace;
  /** Fallback while the shared counters are unavailable; `memory` by default. */
  readonly whenUnavailable?: WhenUnavailable;
  /** Whether a setting can lift it temporarily: reading and searching only. */
  readonly canBeLifted?: true;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Rate-limit classes. Each route names one; each class counts separately. */
export const limitClasses = {
  probe: {},
  read: {
    ip: { max: 600, windowMs: MINUTE },
    account: { max: 600, windowMs: MINUTE },
    whenUnavailable: "open",
    canBeLifted: true,
  },
  /** A server-rendered page or picture, a sitemap, or the console's page; not the files of the build. */
  page: {
    ip: { max: 300, windowMs: MINUTE },
    networks: { 56: { max: 600, windowMs: MINUTE }, 48: { max: 1200, windowMs: MINUTE } },
    whenUnavailable: "open",
    canBeLifted: true,
  },
  /** Any page of search results; the handler also spends `search` or `page_turn`. */
  search_page: {
    ip: { max: 300, windowMs: MINUTE },
    account: { max: 300, windowMs: MINUTE },
    whenUnavailable: "open",
    canBeLifted: true,
  },
  search: {
    ip: { max: 120, windowMs: MINUTE },
    account: { max: 120, windowMs: MINUTE },
    pace: { after: 10, everyMs: 6_000, resetMs: MINUTE },
    whenUnavailable: "open",
    canBeLifted: true,
  },
  /** Turning pages: 30 at any speed, then one every two seconds. Spent by the handler. */
  page_turn: {
    pace: { after: 30, everyMs: 2_000, resetMs: MINUTE },
    whenUnavailable: "open",
    canBeLifted: true,
  },
  /** Searching by a whole email address or phone number. Spent by the handler, like the next two. */
  contact_search: {
    ip: { max: 300, windowMs: DAY },
    networks: { 56: { max: 300, windowMs: DAY }, 48: { max: 600, windowMs: DAY } },
    account: { max: 300, windowMs: DAY },
  },
  /** The same for confirmed accounts that are not yet in good standing. */
  first_contact_search: {
    ip: { max: 50, windowMs: DAY },
    networks: { 56: { max: 50, windowMs: DAY }, 48: { max: 100, windowMs: DAY } },
    account: { max: 5, windowMs: DAY },
  },
  /** Different email addresses and phone numbers searched together with one name. */
  contact_of_name: { name: { max: 5, windowMs: DAY } },
  write: { ip: { max: 300, windowMs: MINUTE }, account: { max: 300, windowMs: MINUTE } },
  submit: { ip: { max: 30, windowMs: 10 * MINUTE }, account: { max: 30, windowMs: 10 * MINUTE } },
  /** Uploading or removing a file: ten for each of several reports. */
  upload: { ip: { max: 120, windowMs: 10 * MINUTE }, account: { max: 120, windowMs: 10 * MINUTE } },
  view: { ip: { max: 120, windowMs: MINUTE } },
  link: { ip: { max: 30, windowMs: 10 * MINUTE } },
  /** Viewing a report's status through a link from an email. */
  report_link: { ip: { max: 120, windowMs: 10 * MINUTE } },
  /** Unsubscribing through a link. Email providers do this for many of their users. */
  unsubscribe: { ip: { max: 300, windowMs: MINUTE } },
  mail: { ip: { max: 10, windowMs: 10 * MINUTE }, account: { max: 10, windowMs: 10 * MINUTE } },
  /** Creating an account: the reply reveals whether an address already has one. */
  register: { ip: { max: 5, windowMs: 60 * MINUTE } },
  /** Accounts for one mailbox, each replacing the previous one; spent by the handler. */
  register_mailbox: { mailbox: { max: 10, windowMs: DAY } },
  /** Password-reset links to one mailbox requested from unknown browsers; spent by the handler. */
  reset_mailbox: { mailbox: { max: 20, windowMs: DAY } },
  /** Reports whose email address is changed to one mailbox; spent by the handler. */
  correct_mailbox: { mailbox: { max: 10, windowMs: DAY } },
  /** Letters submitted to staff for review; spent by the handler. */
  banner: { account: { max: 20, windowMs: DAY } },
  /** Requesting the page to pay the fee: each one calls the payment service. */
  checkout: {
    account: { max: 30, windowMs: 10 * MINUTE },
    ip: { max: 60, windowMs: 10 * MINUTE },
  },
  /** Payment webhooks. Each message costs a signature check, whoever sent it. */
  payment_notice: { ip: { max: 300, windowMs: MINUTE } },
  inquiry: { ip: { max: 5, windowMs: 60 * MINUTE } },
  sign_in: { ip: { max: 20, windowMs: MINUTE } },
  session: { ip: { max: 120, windowMs: MINUTE } },
  reveal: { account: { max: 60, windowMs: 10 * MINUTE }, ip: { max: 120, windowMs: 10 * MINUTE } },
  /** Fetching a file that a reveal has opened: ten per reveal. */
  revealed_file: {
    account: { max: 600, windowMs: 10 * MINUTE },
    ip: { max: 1200, windowMs: 10 * MINUTE },
  },
  /** Emails to addresses that the caller enters; spent by the handler. */
  email_change: { account: { max: 5, windowMs: DAY }, ip: { max: 20, windowMs: DAY } },
  /** A page of a personal data export; the first one also spends `export`. */
  export_page: {
    account: { max: 120, windowMs: 10 * MINUTE },
    ip: { max: 240, windowMs: 10 * MINUTE },
  },
  /** A personal data export; spent by the handler. */
  export: { account: { max: 5, windowMs: DAY } },
  /** Recording an export of one of the console's lists, each of which reads a whole table. */
  list_export: { account: { max: 20, windowMs: DAY }, ip: { max: 200, windowMs: DAY } },
  not_found: { ip: { max: 120, windowMs: MINUTE } },
} as const satisfies Record<string, LimitRule>;

export type LimitClass = keyof typeof limitClasses;
