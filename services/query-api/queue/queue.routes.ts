import { given } from "#contracts/given.ts";
import { QUEUE, QUEUE_FRONT, QueueReply } from "#contracts/http/queue.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { type ActorNames, fullName } from "../actors/actor-names.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import { findQueue, takenByOthers } from "./queue.queries.ts";

/** The queue of reports that wait for a moderator. */
export function queueRoutes(
  app: ServiceInstance,
  deps: {
    readonly db: ReadModelDatabase;
    readonly names: ActorNames;
    readonly freshness: ReadYourWrites;
  },
): void {
  const { db, names, freshness } = deps;
  app.get(
    QUEUE,
    {
      config: { roles: ["admin"], limit: "read" },
      schema: {
        tags: ["moderation"],
        summary: "The reports that wait for the caller's decision, and which of them others have",
        response: { 200: QueueReply },
      },
      preHandler: freshness.waitFor(["reports", "users"], "any"),
    },
    async (request) => {
      const { id } = request.actor;
      const [queue, leases] = await Promise.all([findQueue(db, id), takenByOthers(db, id)]);
      const staff = await names.staffAmong(
        leases.map(({ account_id }) => account_id),
        request.log,
      );
      const taken = leases.map(({ report_id, account_id, until }) => {
        const name = staff.get(account_id);
        const by = name && (fullName(name) || undefined);
        return { report_id, until: until.toISOString(), ...given({ by }) };
      });
      const reports = [...queue.answered, ...queue.confirmed].slice(0, QUEUE_FRONT);
      return succeed({ reports, waiting: queue.waiting, taken });
    },
  );
}
