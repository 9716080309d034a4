import { QUEUE, QueueReply } from "#contracts/http/queue.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { concernsOf } from "../admin-reports/own-reports.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { claimedByOthers, findQueue } from "./queue.queries.ts";

export function queueRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, names, freshness } = side;
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports", "users"], "any"));
  app.get(
    QUEUE,
    read({
      summary: "Reports awaiting your decision, and which of them others have reserved",
      reply: QueueReply,
    }),
    async (request) => {
      const { id } = request.actor;
      const concerns = await concernsOf(id, side);
      const [queue, leases] = await Promise.all([findQueue(db, concerns), claimedByOthers(db, id)]);
      const nameOf = await names.nameOf(
        leases.map(({ account_id }) => account_id),
        request.log,
      );
      const taken = leases.map(({ report_id, account_id, until }) => ({
        report_id,
        until: until.toISOString(),
        ...omitUndefined({ by: nameOf(account_id) }),
      }));
      return succeed({ ...queue, taken });
    },
  );
}
