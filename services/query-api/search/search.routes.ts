import type { FastifyRequest } from "fastify";
import { Compile } from "typebox/compile";
import { DomainError } from "#contracts/domain-error.ts";
import type { SearchHit as ShownHit } from "#contracts/http/report-view.ts";
import {
  SEARCH_PAGE_SIZE,
  SearchQuery,
  SearchReply,
  type SearchResult as ShownResult,
} from "#contracts/http/reports.ts";
import {
  CONTACT_SEARCHES_USED,
  type Contact,
  confirmToSearchBy,
  signInToSearchBy,
} from "#contracts/http/search-messages.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { Email } from "#contracts/report/fields.ts";
import { toCents } from "#contracts/report/money.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { isForStaff, ROLES, VISITOR } from "#http/actor.ts";
import { requireFactor } from "#http/auth.ts";
import type { Named, Window } from "#http/counters/port.ts";
import { succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import { addressKey, type Limits, RateLimited } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { CONTACT_FOUND } from "#operations/process-table.ts";
import {
  type Highlights,
  normaliseEmail,
  normaliseName,
  normalisePhone,
} from "#search/matching.ts";
import {
  type SearchQuery as IndexQuery,
  InvalidPageToken,
  type SearchHit,
  type SearchIndex,
  type SearchResult,
} from "#search/port.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { findSearchAllowance, type SearchAllowance } from "../profile/profile.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { presentSummary } from "../reports/reports.presenter.ts";
import { approvedById, type PublicReportRow } from "../reports/reports.queries.ts";

export function searchRoutes(
  app: ServiceInstance,
  { db, freshness, index, blind, observe }: ReadSide,
): void {
  const throttle = createSearchThrottle(app.limits);
  const contacts = new ContactSearches(findSearchAllowance(db), app.limits);

  app.get(
    "/prod/api/reports/search",
    {
      config: { roles: ROLES, limit: "search_page" },
      schema: {
        tags: ["search"],
        summary: "Search approved reports",
        description:
          "Free text matches names, title, description and city. An email address or phone number matches " +
          "only when given whole, alone or beside a name, for accounts with a confirmed address and for staff. " +
          "Others get 403 `confirmed_account_required` for one.",
        querystring: SearchQuery,
        response: { 200: SearchReply },
      },
      preHandler: [
        async ({ query: { min, max } }) => {
          if (min !== undefined && max !== undefined && min > max)
            throw invalidRequest({ min: "Min must not be more than max" });
        },
        freshness.waitFor(["search", "reports", "offenders"], "any"),
      ],
    },
    async (request) => {
      const { query } = request;
      const isNew = await throttle.admit(request, query);
      const contact = contactQuery(query.q, blind);
      if (contact) await contacts.admit(request, contact, isNew);
      const result = await search(index, toIndexQuery(query, contact));
      if (contact && isNew && (await isFound(index, result, contact))) {
        const { actor, method } = request;
        const route = "/prod/api/reports/search";
        const seen = { account: actor.id, role: actor.role, method, route, code: CONTACT_FOUND };
        await observe(seen).catch((cause) => {
          request.log.error({ err: cause, route }, "a contact search could not be recorded");
          throw new DomainError("unavailable", messages.unavailable);
        });
      }
      const rows = await approvedById(
        db,
        result.hits.map(({ id }) => id),
      );
      return succeed(presentResult(result, rows));
    },
  );
}

/** Whether the contact itself was found. Next to a name, hits may match only the name. */
async function isFound(
  index: Pick<SearchIndex, "search">,
  { total }: SearchResult,
  { emailBlind, phoneBlind, name }: ContactQuery,
): Promise<boolean> {
  if (total === 0 || !name) return total > 0;
  return (await index.search({ emailBlind, phoneBlind, size: 1 })).total > 0;
}

function toIndexQuery(query: SearchQuery, contact: ContactQuery | undefined): IndexQuery {
  const { q, state, country, min, max, reason, sort, page, size } = query;
  const { emailBlind, phoneBlind, name } = contact ?? {};
  return {
    q: name?.text ?? q,
    state,
    country,
    minCents: min === undefined ? undefined : toCents(min),
    maxCents: max === undefined ? undefined : toCents(max),
    reasonCodes: reason === undefined ? undefined : REASON_GROUPS[reason],
    sort,
    page,
    size: size ?? SEARCH_PAGE_SIZE,
    emailBlind,
    phoneBlind,
  };
}

async function search(
  index: Pick<SearchIndex, "search">,
  query: IndexQuery,
): Promise<SearchResult> {
  try {
    return await index.search(query);
  } catch (error) {
    if (error instanceof InvalidPageToken) {
      throw invalidRequest({ page: "This page token belongs to another search. Search again." });
    }
    throw error;
  }
}

/** A search that came too soon after the previous one. */
class SearchThrottled extends RateLimited {
  override readonly message = "Too many searches. Please wait a moment before searching again.";
}

interface SearchThrottle {
  /**
   * Counts a search by account or, for a visitor, by address. After ten searches, the next must wait six
   * seconds since the last one. The count resets 60 seconds after the last search.
   *
   * Turning pages has its own limit (`page_turn`). The first page without any filter and admins' requests
   * are not counted.
   * @returns whether the request is a new search.
   * @throws {SearchThrottled}
   */
  admit(request: FastifyRequest, query: SearchQuery): Promise<boolean>;
}

function createSearchThrottle(limits: Limits): SearchThrottle {
  async function spend(request: FastifyRequest, limit: "search" | "page_turn"): Promise<void> {
    const { role, needsFactor } = request.actor;
    if (role === "admin" && !needsFactor) return;
    try {
      await limits.spend(request, limit);
    } catch (error) {
      if (error instanceof RateLimited) throw new SearchThrottled(error.retryAfter * 1000);
      throw error;
    }
  }

  return {
    async admit(request, query) {
      const { id } = request.actor;
      const caller = id === VISITOR.id ? addressKey(request.ip) : id;
      const isTurn = query.page !== undefined;
      const print = fingerprint(caller, query);
      const isNew =
        isSearch(query) && !(isTurn && (await limits.counters.wasHit(recentSearches, print)));
      if (isNew) {
        await spend(request, "search");
        await limits.counters.hit(recentSearches, print);
      } else if (isTurn) {
        await spend(request, "page_turn");
      }
      return isNew;
    },
  };
}

/** A caller's recent searches, within which turning pages is not a new search. */
const recentSearches: Named<Window> = {
  name: "search:recent",
  max: 1,
  windowMs: 30 * 60_000,
  whenUnavailable: "memory",
};

/** Whether the request searches for anything. Without criteria it only browses public reports. */
function isSearch({ q, state, country, min, max, reason }: SearchQuery): boolean {
  return q?.trim() || state || country || reason ? true : min !== undefined || max !== undefined;
}

/** Identical for all pages of one caller's search. */
function fingerprint(caller: string, query: SearchQuery): string {
  const { q, state, country, min, max, reason, sort, size } = query;
  return JSON.stringify([caller, q, state, country, min, max, reason, sort, size]);
}

/** Today's searches with a name, so that repeats are free. */
const SEARCHED_WITH_NAME: Named<Window> = {
  name: "contact_of_name:same",
  max: 1,
  windowMs: 24 * 3_600_000,
  whenUnavailable: "memory",
};

/** Limits contact searches by confirmed accounts and staff: each confirms or rules out one value behind a mask. */
export class ContactSearches {
  readonly #allowanceOf: (account: string) => Promise<SearchAllowance | undefined>;
  readonly #limits: Limits;

  constructor(
    standingOf: (account: string) => Promise<SearchAllowance | undefined>,
    limits: Limits,
  ) {
    this.#allowanceOf = standingOf;
    this.#limits = limits;
  }

  /**
   * Admits or rejects a contact search, before it runs, so that a rejection reveals nothing about the contact.
   * @param isNew whether the request is more than another page of a search that was already counted.
   * @throws {DomainError} `confirmed_account_required`, `second_factor_required`
   * @throws {RateLimited}
   */
  async admit(request: FastifyRequest, query: ContactQuery, isNew: boolean): Promise<void> {
    const isTrusted = await this.#isTrusted(request, query);
    if (!isNew) return;
    try {
      await this.#limits.spend(request, isTrusted ? "contact_search" : "first_contact_search");
      if (query.name) await this.#spendName(request, query, query.name.key);
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      throw new RateLimited(error.retryAfter * 1000, CONTACT_SEARCHES_USED);
    }
  }

  async #isTrusted({ actor }: FastifyRequest, { contact }: ContactQuery): Promise<boolean> {
    if (isForStaff([actor.role])) {
      requireFactor(actor);
      return true;
    }
    const code = "confirmed_account_required";
    if (actor.role !== "user") throw new DomainError(code, signInToSearchBy(contact));
    const account = await this.#allowanceOf(actor.id);
    if (!account?.confirmed) throw new DomainError(code, confirmToSearchBy(contact));
    return account.trusted;
  }

  async #spendName(request: FastifyRequest, query: ContactQuery, name: string): Promise<void> {
    const { counters } = this.#limits;
    const pair = JSON.stringify([name, query.emailBlind ?? query.phoneBlind]);
    if (await counters.wasHit(SEARCHED_WITH_NAME, pair)) return;
    await this.#limits.byName(request, "contact_of_name", name);
    await counters.hit(SEARCHED_WITH_NAME, pair);
  }
}

/** Presents a page of results from rows: omits hits that are no longer public and highlights of changed texts. */
function presentResult(
  result: SearchResult,
  rows: ReadonlyMap<string, PublicReportRow>,
): ShownResult {
  const { total, totalCapped, page, pages, next, previous } = result;
  const reports = result.hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    return row ? [presentHit(hit, row)] : [];
  });
  return { reports, total, total_capped: totalCapped, page, pages, next, previous };
}

function presentHit(hit: SearchHit, row: PublicReportRow): ShownHit {
  const highlights = presentHighlights(hit.highlights, {
    name: `${row.first_name} ${row.last_name}`,
    title: row.title,
    description: row.description,
    city: row.city,
  });
  return {
    ...presentSummary(row),
    ...omitUndefined({ match: hit.match }),
    ...(Object.keys(highlights).length > 0 ? { highlights } : {}),
  };
}

function presentHighlights(
  marked: Highlights,
  texts: Readonly<Record<keyof Highlights, string>>,
): NonNullable<ShownHit["highlights"]> {
  const shown: NonNullable<ShownHit["highlights"]> = {};
  for (const field of ["name", "title", "description", "city"] as const) {
    const segments = marked[field];
    if (segments?.map(({ text }) => text).join("") !== texts[field]) continue;
    shown[field] = segments.map(({ text, hit }) => ({ text, hit }));
  }
  return shown;
}

const EMAIL = Compile(Email);
const isEmail = (text: string): boolean => EMAIL.Check(text);

/** Whether it has as many digits as a phone number (at most 15 in E.164). Longer ones are orders and parcels. */
const isPhoneLong = (text: string) => /^.{7,15}$/.test(text.replace(/\D/g, ""));

/** Digits, and the characters that people write between them. */
const PHONE = /^\+?[\d\s().\-/]{7,30}$/;

/**
 * A phone number among other words. Only a prefix or an area code in parentheses distinguishes it from an order
 * number.
 */
const PHONE_AMONG_WORDS = /(?:\+\d|\(\d{3}\))[\d\s().\-/]{6,28}\d/;

/** The blind index of a complete email address or phone number. */
export interface ContactQuery {
  readonly contact: Contact;
  readonly emailBlind?: string;
  readonly phoneBlind?: string;
  /** The other words as typed, and as a key independent of order and spelling; undefined if there are none. */
  readonly name?: { readonly text: string; readonly key: string };
}

/**
 * Finds a complete address or number in a text, since parts would reveal a masked value. @returns undefined if
 * none.
 */
export function contactQuery(q: string | undefined, blind: BlindIndexer): ContactQuery | undefined {
  const text = q?.trim() ?? "";
  const email = text.split(/[\s,;<>]+/).find(isEmail);
  if (email) return found("email", text, email, normaliseEmail(email), blind);
  const phone = PHONE.test(text) ? text : PHONE_AMONG_WORDS.exec(text)?.[0];
  return phone && isPhoneLong(phone)
    ? found("phone", text, phone, normalisePhone(phone, phoneCountry(phone)), blind)
    : undefined;
}

function found(
  contact: Contact,
  text: string,
  typed: string,
  value: string | undefined,
  blind: BlindIndexer,
): ContactQuery | undefined {
  if (value === undefined) return undefined;
  const rest = text.replace(typed, " ").trim();
  const key = normaliseName(rest).split(" ").sort().join(" ");
  return {
    contact,
    ...(contact === "email"
      ? { emailBlind: blind("email", value) }
      : { phoneBlind: blind("phone", value) }),
    ...(key ? { name: { text: rest, key } } : {}),
  };
}

/** The country of a number without a prefix: if it starts with a zero, AU for ten digits, else UK; otherwise US. */
function phoneCountry(text: string): string {
  const digits = text.replace(/\D/g, "");
  if (!digits.startsWith("0")) return "US";
  return digits.length === 10 ? "AU" : "UK";
}
