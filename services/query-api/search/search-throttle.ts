import type { FastifyRequest } from "fastify";
import type { SearchQuery } from "#contracts/http/reports.ts";
import { VISITOR } from "#kit/http/actor.ts";
import { addressKey, type Limits, RateLimited } from "#kit/http/limits.ts";
import { fingerprint, isSearch, recentSearches } from "./recent-searches.ts";

/** A search that came too soon after the one before. */
export class SearchThrottled extends RateLimited {
  override readonly message = "Too many searches. Please wait a moment before searching again.";
}

export interface SearchThrottle {
  /**
   * Counts a search by account or, for a visitor, by address; once ten were made, one more only
   * six seconds after the last; sixty seconds after the last all is forgotten. Turning the pages of
   * a search, browsing without any filter, and what admins search is not counted.
   * @returns whether the request is a new search.
   * @throws {SearchThrottled}
   */
  admit(request: FastifyRequest, query: SearchQuery): Promise<boolean>;
}

export function createSearchThrottle(limits: Limits): SearchThrottle {
  return {
    async admit(request, query) {
      const { id } = request.actor;
      const caller = id === VISITOR.id ? addressKey(request.ip) : id;
      if (!isSearch(query)) return false;
      const print = fingerprint(query);
      const isPageTurn =
        query.page !== undefined && (await limits.remembers(recentSearches, caller, print));
      if (isPageTurn) return false;
      if (request.actor.role !== "admin") {
        try {
          await limits.spend(request, "search");
        } catch (error) {
          if (error instanceof RateLimited) throw new SearchThrottled(error.retryAfter * 1000);
          throw error;
        }
      }
      await limits.remember(recentSearches, caller, print);
      return true;
    },
  };
}
