import { given } from "#contracts/given.ts";
import { NotificationsReply } from "#contracts/http/sessions.ts";
import {
  NOTIFICATION_KINDS,
  NOTIFICATIONS,
  type NotificationKind,
} from "#contracts/notification/notification-kinds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { loadParts } from "../analytics/period-figures.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { type Found, findNotified } from "./notifications.queries.ts";

const KINDS = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];

/** What needs attention by an admin. */
export function notificationRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  app.get(
    NOTIFICATIONS,
    {
      config: { roles: ["admin"], limit: "read" },
      schema: {
        tags: ["moderation"],
        summary:
          "What needs attention: waiting reports, notices and inquiries, failed emails and events",
        response: { 200: NotificationsReply },
      },
      // Rows of parked streams are counted among what is told.
      preHandler: freshness.waitFor(["reports", "users", "inquiries", "outbox"], "one"),
    },
    async (request) => {
      const loads = Object.fromEntries(
        KINDS.map((kind) => [kind, () => findNotified(db, kind)]),
      ) as Record<NotificationKind, () => Promise<Found>>;
      const { failed, ...found } = await loadParts(loads, request.log);
      const notifications = KINDS.flatMap((kind) => {
        const { count = 0, late = 0, since = null } = found[kind] ?? {};
        if (count === 0 || !since) return [];
        return [{ kind, count, since: since.toISOString(), ...given({ late: late || undefined }) }];
      });
      return succeed({ notifications, failed });
    },
  );
}
