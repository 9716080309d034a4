/** Notifications for admins. */
export const NOTIFICATIONS = "/prod/api/admin/notifications";

/** Days after which a failed email is no longer reported. */
export const FAILED_MAIL_DAYS = 7;

/** Kinds of notifications, in display order. */
export const NOTIFICATION_KINDS = {
  waiting_reports: "Reports waiting more than a day",
  waiting_deletions: "Deletions waiting for another admin",
  due_notices: "DMCA notices late or due within a day",
  waiting_inquiries: "Inquiries without an answer",
  failed_mails: `Emails that failed in the last ${FAILED_MAIL_DAYS} days`,
  parked_events: "Parked events",
  scan_findings: "Security scan findings",
} as const;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Lists with open work; the console shows the amount in their sections. */
export const WORK_LISTS = ["queue", "resolutions", "notices", "inquiries", "mails"] as const;
export type WorkList = (typeof WORK_LISTS)[number];

/** Maximum count of each kind. The queue is counted completely. */
export const MAX_COUNTED = 100;
/** Hours after which a waiting report is reported. */
export const WAITING_HOURS = 24;
/** A notice is reported once this many hours or fewer are left to decide it. */
export const DUE_HOURS = 24;
