import { NotificationsReply } from "#contracts/http/sessions.ts";
import {
  NOTIFICATION_KINDS,
  NOTIFICATIONS,
  type NotificationKind,
  WORK_LISTS,
  type WorkList,
} from "#contracts/notification/notification-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { loadParts } from "../analytics/period-stats.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { type Found, findNotified } from "./notifications.queries.ts";

const KINDS = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];

/** Items that need an admin's attention. */
export function notificationRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  // Parked streams are among the counted items, so they don't make the reply stale.
  const wait = freshness.waitFor(["reports", "users", "inquiries", "outbox"], "one");
  app.get(
    NOTIFICATIONS,
    reads(
      ["admin"],
      "moderation",
      wait,
    )({
      summary: "What needs attention, and how much work is open in each list",
      reply: NotificationsReply,
    }),
    async (request) => {
      const loads = Object.fromEntries(
        [...KINDS, ...WORK_LISTS].map((name) => [name, () => findNotified(db, name)]),
      ) as Record<NotificationKind | WorkList, () => Promise<Found>>;
      const { failed, ...found } = await loadParts(loads, request.log);
      const work = WORK_LISTS.flatMap((list) => {
        if (!found[list]) return [];
        const { count, late, since, due } = found[list];
        const times = omitUndefined({ since: since?.toISOString(), due: due?.toISOString() });
        return [[list, { count, late, ...times }]];
      });
      const notifications = KINDS.flatMap((kind) => {
        const { count = 0, late = 0, since = null } = found[kind] ?? {};
        if (count === 0 || !since) return [];
        return [
          {
            kind,
            count,
            since: since.toISOString(),
            ...omitUndefined({ late: late || undefined }),
          },
        ];
      });
      return succeed({
        notifications,
        failed: KINDS.filter((kind) => failed.includes(kind)),
        work: Object.fromEntries(work),
      });
    },
  );
}
