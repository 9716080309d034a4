import { SameOrderQuery, SameOrderReply } from "#contracts/http/own-reports.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findSameOrder } from "./same-order.queries.ts";

/** Whether an account reported an order before. It learns nothing of anybody else's reports. */
export function sameOrderRoute(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(
    ["user", "admin"],
    "accounts",
    freshness.waitFor(["accounts", "reports"], "any"),
  );
  app.get(
    "/prod/api/account/reports/same-order",
    read({
      summary: "The newest report of one's own account about an order",
      querystring: SameOrderQuery,
      reply: SameOrderReply,
    }),
    async ({ actor, query }) => {
      const { order, merchant = null } = query;
      const found = await findSameOrder(db, actor.id, { order, merchant });
      const report = found && {
        id: found.id,
        status: found.status,
        created_at: found.created_at.toISOString(),
      };
      return succeed({ report: report ?? null });
    },
  );
}
