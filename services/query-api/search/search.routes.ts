import { DomainError } from "#contracts/domain-error.ts";
import { SEARCH_PAGE_SIZE, SearchQuery, SearchReply } from "#contracts/http/reports.ts";
import { toCents } from "#contracts/report/money.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { CONTACT_FOUND } from "#operations/observed-table.ts";
import { InvalidPageToken } from "#search/errors.ts";
import type { SearchQuery as IndexQuery, SearchIndex, SearchResult } from "#search/port.ts";
import { standings } from "../profile/good-standing.ts";
import type { ReadSide } from "../read-side.ts";
import { approvedById } from "../reports/reports.queries.ts";
import { type ContactQuery, contactQuery } from "./contact-query.ts";
import { ContactSearches } from "./contact-searches.ts";
import { presentResult } from "./search.presenter.ts";
import { createSearchThrottle } from "./search-throttle.ts";

export function searchRoutes(
  app: ServiceInstance,
  { db, freshness, index, blind, observe }: ReadSide,
): void {
  const throttle = createSearchThrottle(app.limits);
  const contacts = new ContactSearches(standings(db), app.limits);

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

/** Whether the contact itself was found. Beside a name, hits may be of the name. */
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
      throw invalidRequest({ page: "The page does not belong to this search: search again" });
    }
    throw error;
  }
}
