import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import {
  CONTACT_SEARCHES_USED,
  confirmToSearchBy,
  signInToSearchBy,
} from "#contracts/http/search-words.ts";
import { isForStaff } from "#http/actor.ts";
import { requireFactor } from "#http/auth.ts";
import type { Named, Window } from "#http/counters/port.ts";
import { type Limits, RateLimited } from "#http/limits.ts";
import type { Standing } from "../profile/good-standing.ts";
import type { ContactQuery } from "./contact-query.ts";

/** What was searched together with a name today, so that the same again costs nothing. */
const SEARCHED_WITH_NAME: Named<Window> = {
  name: "contact_of_name:same",
  max: 1,
  windowMs: 24 * 3_600_000,
  whenAway: "memory",
};

/**
 * Lets confirmed accounts and staff search by email and phone, so often a day. A mask leaves few
 * candidates, and such a search confirms one: whoever could search without limits would read the whole value.
 */
export class ContactSearches {
  readonly #standingOf: (account: string) => Promise<Standing | undefined>;
  readonly #limits: Limits;

  constructor(standingOf: (account: string) => Promise<Standing | undefined>, limits: Limits) {
    this.#standingOf = standingOf;
    this.#limits = limits;
  }

  /**
   * The refusal comes before the search, so it says nothing about the contact.
   * @param isNew whether the request is more than another page of a search that was counted.
   * @throws {DomainError} `confirmed_account_required`, `second_factor_required` @throws {RateLimited}
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
    const account = await this.#standingOf(actor.id);
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
