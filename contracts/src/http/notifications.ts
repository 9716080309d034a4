import { type Static, Type } from "typebox";
import { codes, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** Where admins read what needs attention. */
export const NOTIFICATIONS = "/prod/api/admin/notifications";

/** What may need attention, in the order in which it is shown. */
export const NOTIFICATION_KINDS = {
  waiting_reports: "Reports waiting longer than a day",
  waiting_inquiries: "Inquiries without an answer",
  failed_mails: "Mails that failed in the last seven days",
  parked_events: "Parked events",
} as const;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Each is counted up to this number. */
export const MOST_COUNTED = 100;
/** A report that waits longer than this is told of. */
export const WAITING_HOURS = 24;
/** A mail that failed longer ago is not told of. */
export const FAILED_MAIL_DAYS = 7;

const Count = Type.Integer({ minimum: 1, maximum: MOST_COUNTED });

export const Notification = strict({
  kind: codes(NOTIFICATION_KINDS),
  /** {@link MOST_COUNTED} stands for as many or more. */
  count: Count,
  /** How many of them are past the time that was promised; absent where none is. */
  late: Type.Optional(Count),
  /** Time of the oldest of them, RFC 3339. */
  since: Type.String(),
});
export type Notification = Static<typeof Notification>;

/** GET: what needs attention. A kind of which there is nothing is absent. */
export const NotificationsReply = reply(
  strict({
    notifications: Type.Array(Notification),
    /** Kinds that could not be read. */
    failed: Type.Array(codes(NOTIFICATION_KINDS)),
  }),
);
export type Notifications = Static<typeof NotificationsReply>["data"];
