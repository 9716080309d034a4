import { OffendersQuery, OffendersReply } from "#contracts/http/reports.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import { presentOffender } from "./offenders.presenter.ts";
import { topOffenders } from "./offenders.queries.ts";

const MAX_OFFENDERS = 50;

export function offenderRoutes(
  app: ServiceInstance,
  { db, freshness }: { readonly db: ReadModelDatabase; readonly freshness: ReadYourWrites },
): void {
  app.get(
    "/prod/api/habitual-offenders",
    {
      config: { roles: ROLES, limit: "read" },
      schema: {
        tags: ["public reports"],
        summary: "Persons with two or more approved reports, most reports first",
        querystring: OffendersQuery,
        response: { 200: OffendersReply },
      },
      preHandler: freshness.waitFor(["offenders", "reports"], "any"),
    },
    async (request) => {
      const { limit = MAX_OFFENDERS } = request.query;
      return succeed((await topOffenders(db, limit)).map(presentOffender));
    },
  );
}
