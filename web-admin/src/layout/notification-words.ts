import type { Notification, Notifications } from "#contracts/http/notifications.ts";
import {
  MOST_COUNTED,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "#contracts/notification/notification-kinds.ts";
import { paths } from "../config/paths.ts";
import { formatCount, formatInstant } from "../shared/formats.ts";

/** Where each kind is dealt with. */
export const PLACES: Readonly<Record<NotificationKind, string>> = {
  waiting_reports: paths.queue,
  waiting_inquiries: paths.inquiries,
  failed_mails: `${paths.mails}?state=failed`,
  parked_events: paths.system,
  scan_findings: `${paths.system}#actions`,
};

/** "3", or "100 or more". */
export function countWords(count: number): string {
  return count >= MOST_COUNTED ? `${formatCount(MOST_COUNTED)} or more` : formatCount(count);
}

/** "3", or "2 of 3 are late"; and since when the oldest waits. */
export function factsOf({ count, late, since }: Notification): string {
  const lateness = late ? `, ${late === count ? "all" : countWords(late)} late` : "";
  return `${countWords(count)}${lateness}, the oldest since ${formatInstant(since)}`;
}

/** How many items need attention. */
export function totalOf({ notifications }: Pick<Notifications, "notifications">): number {
  return notifications.reduce((sum, { count }) => sum + count, 0);
}

/** What the bell is called, for those who do not see its number. */
export function bellWords(notified: Notifications | undefined, isUnread: boolean): string {
  if (!notified) return isUnread ? "Notifications: they could not be loaded" : "Notifications";
  const total = totalOf(notified);
  const parts = [
    total > 0 ? `${formatCount(total)} items need attention` : "nothing needs attention",
  ];
  if (total === 1) parts[0] = "1 item needs attention";
  if (notified.failed.length > 0) parts.push("some could not be loaded");
  return `Notifications: ${parts.join(", ")}`;
}

/** "Could not be loaded: parked events". */
export function failedWords(failed: readonly NotificationKind[]): string {
  const names = failed.map((kind) => NOTIFICATION_KINDS[kind]);
  return `Could not be loaded: ${names.join(", ")}`;
}
