import { type Static, Type } from "typebox";
import { MOST_COUNTED, NOTIFICATION_KINDS } from "../notification/notification-kinds.ts";
import { codes, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

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
