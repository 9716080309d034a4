/** Where admins read what needs attention. */
export const NOTIFICATIONS = "/prod/api/admin/notifications";

/** An email that failed longer ago is not told of. */
export const FAILED_MAIL_DAYS = 7;

/** What may need attention, in the order in which it is shown. */
export const NOTIFICATION_KINDS = {
  waiting_reports: "Reports to decide for longer than a day",
  waiting_deletions: "Deletions waiting for another admin",
  due_notices: "DMCA notices late or due within a day",
  waiting_inquiries: "Inquiries without an answer",
  failed_mails: `Emails that failed in the last ${FAILED_MAIL_DAYS} days`,
  parked_events: "Parked events",
  scan_findings: "Findings of the last security scan",
} as const;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Lists with open work, whose sections the console shows with its amount. */
export const WORK_LISTS = ["queue", "resolutions", "notices", "inquiries", "mails"] as const;
export type WorkList = (typeof WORK_LISTS)[number];

/** Each is counted up to this number; the queue to its end. */
export const MOST_COUNTED = 100;
/** A report that waits longer than this is told of. */
export const WAITING_HOURS = 24;
/** A notice that must be decided within so many hours is told of. */
export const DUE_HOURS = 24;
