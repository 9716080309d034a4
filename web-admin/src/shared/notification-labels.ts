import type { ReportFilters } from "#contracts/http/admin-reports.ts";
import type { Notification, Notifications } from "#contracts/http/sessions.ts";
import {
  MAX_COUNTED,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "#contracts/notification/notification-kinds.ts";
import { filtered, paths } from "../config/paths.ts";
import { formatCount, formatDay } from "./formats.ts";

/** The list of these reports, oldest first. */
const LATE = new URLSearchParams({
  filter: JSON.stringify({ to_decide: "late" } satisfies ReportFilters),
  sort: "created_at",
  order: "ASC",
});

/** Page on which each kind is handled. */
export const PLACES: Readonly<Record<NotificationKind, string>> = {
  waiting_reports: `${paths.reports}?${LATE}`,
  waiting_deletions: paths.deletedReports,
  due_notices: filtered(paths.notices, { overdue: "soon" }),
  waiting_inquiries: filtered(paths.inquiries, {}),
  failed_mails: filtered(paths.mails, { state: "failed" }),
  parked_events: paths.system,
  scan_findings: `${paths.system}#actions`,
};

/** Formats a count, e.g. "3" or "100 or more". */
export function countText(count: number): string {
  return count >= MAX_COUNTED ? `${formatCount(MAX_COUNTED)} or more` : formatCount(count);
}

/** Returns e.g. "1, since ..." or "3, 2 late, the oldest since ...". */
export function factsOf({ count, late = 0, since }: Notification): string {
  const how = late === count ? "all " : `${countText(late)} `;
  const lateness = late > 0 ? `, ${count === 1 ? "" : how}late` : "";
  const which = count === 1 ? "" : "the oldest ";
  return `${countText(count)}${lateness}, ${which}since ${formatDay(since)}`;
}

/** Returns the number of items that need attention. */
export function totalOf({ notifications }: Pick<Notifications, "notifications">): number {
  return notifications.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number on the bell, "7" or "99+"; undefined if it is 0. */
export function markOf(notified: Pick<Notifications, "notifications">): string | undefined {
  const total = totalOf(notified);
  if (total === 0) return undefined;
  return total < MAX_COUNTED ? String(total) : `${MAX_COUNTED - 1}+`;
}

/** Returns the bell's accessible label. */
export function bellLabel(notified: Notifications | undefined, isUnread: boolean): string {
  const mark = notified && markOf(notified);
  const parts = mark
    ? [mark === "1" ? "1 item needs attention" : `${mark} items need attention`]
    : [];
  if (isUnread) parts.push("couldn't load them");
  else if (notified && notified.failed.length > 0) parts.push("couldn't load some");
  else if (notified && !mark) parts.push("nothing needs attention");
  return ["Notifications", ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
}

/** Returns e.g. "Couldn't load: Parked events". */
export function failedText(failed: readonly NotificationKind[]): string {
  const names = failed.map((kind) => NOTIFICATION_KINDS[kind]);
  return `Couldn't load: ${names.join(", ")}`;
}
