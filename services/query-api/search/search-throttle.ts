import type { FastifyRequest } from "fastify";
import type { SearchQuery } from "#contracts/http/reports.ts";
import { VISITOR } from "#http/actor.ts";
import { addressKey, type Limits, RateLimited } from "#http/limits.ts";
import { fingerprint, isSearch, recentSearches } from "./recent-searches.ts";

/** A search that came too soon after the previous one. */
export class SearchThrottled extends RateLimited {
  override readonly message = "Too many searches. Please wait a moment before searching again.";
}

export interface SearchThrottle {
  /**
   * Counts a search for the account or, for a visitor, for the address. After ten searches, the
   * next must wait six seconds since the last one. Sixty seconds after the last search the count
   * starts again.
   *
   * Turning pages has its own limit (`page_turn`). The first page without any filter and the
   * requests of admins are not counted.
   * @returns whether the request is a new search.
   * @throws {SearchThrottled}
   */
  admit(request: FastifyRequest, query: SearchQuery): Promise<boolean>;
}

export function createSearchThrottle(limits: Limits): SearchThrottle {
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
