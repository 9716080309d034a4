import type { Notifications } from "#contracts/http/sessions.ts";
import { NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import { useRead } from "./use-read.ts";

/** How long an answer is shown before another page asks again, in milliseconds. */
const CACHED_MS = 15_000;

/**
 * What needs attention, and the open work of each list: one answer for bell, sidebar and dashboard.
 * @param enabled whether the account may read it: only admins may.
 */
export function useNotifications(enabled = true) {
  const options = { staleTime: CACHED_MS, enabled };
  return useRead<Notifications>(["notifications"], NOTIFICATIONS, options);
}
