import {
  OffenderPageReply,
  OffenderPagesQuery,
  OffendersQuery,
  OffendersReply,
} from "#contracts/http/reports.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { InvalidPageToken } from "#search/errors.ts";
import { createPageTokens } from "#search/page-token.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { offenderPage } from "./offender-pages.ts";
import { presentOffender } from "./offenders.presenter.ts";
import { topOffenders } from "./offenders.queries.ts";

const MAX_OFFENDERS = 50;

export function offenderRoutes(app: ServiceInstance, { db, freshness, pageKey }: ReadSide): void {
  const pageTokens = createPageTokens(pageKey);
  const read = reads(ROLES, "public reports", freshness.waitFor(["offenders", "reports"], "any"));

  app.get(
    "/prod/api/habitual-offenders",
    read({
      summary: "Persons with two or more approved reports, most reports first",
      querystring: OffendersQuery,
      reply: OffendersReply,
    }),
    async (request) => {
      const { limit = MAX_OFFENDERS } = request.query;
      return succeed((await topOffenders(db, limit)).map(presentOffender));
    },
  );

  app.get(
    "/prod/api/habitual-offenders/all",
    read({
      summary: "The same persons, page by page",
      querystring: OffenderPagesQuery,
      reply: OffenderPageReply,
    }),
    async ({ query: { page } }) => {
      try {
        return succeed(await offenderPage(db, pageTokens, page));
      } catch (error) {
        if (!(error instanceof InvalidPageToken)) throw error;
        throw invalidRequest({ page: "This page is not known: start from the first" });
      }
    },
  );
}
