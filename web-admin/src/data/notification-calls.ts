import type { Notifications } from "#contracts/http/sessions.ts";
import { NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import type { ApiClient } from "./api-client.ts";

/** What the console reads for its bell. */
export interface NotificationCalls {
  /** What needs somebody. */
  notifications(): Promise<Notifications>;
}

/** These calls with one session's client. */
export function notificationCalls(client: ApiClient): NotificationCalls {
  return {
    async notifications() {
      const { json } = await client.request(NOTIFICATIONS);
      return (json as { data: Notifications }).data;
    },
  };
}
