import { type Static, Type } from "typebox";
import { PASSWORD_LENGTH } from "../account/password-rule.ts";
import {
  MOST_COUNTED,
  NOTIFICATION_KINDS,
  WORK_LISTS,
  type WorkList,
} from "../notification/notification-kinds.ts";
import { codes, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** A session of the account, as its owner sees it. */
export const OwnSession = strict({
  id: Type.String({ format: "uuid" }),
  started_at: Type.String(),
  /** To within a quarter of an hour: a page renews its token that often. */
  last_used_at: Type.String(),
  /** Whether it is the one that asks. */
  current: Type.Boolean(),
  /** "Firefox on Linux"; absent where nothing is known. */
  device: Type.Optional(Type.String()),
  /** The network alone, never the whole address: "203.0.x.x", "2001:db8:12::/48". */
  network: Type.Optional(Type.String()),
});
export type OwnSession = Static<typeof OwnSession>;

/** GET /prod/api/auth/sessions: the current one first, then by last use; at most 100 others. */
export const SessionsReply = reply(strict({ sessions: Type.Array(OwnSession) }));

/** DELETE /prod/api/auth/sessions: ends every session but the current one. */
export const EndedSessionsReply = reply(strict({ ended: Type.Integer() }));

/** POST /prod/api/auth/activity: someone is active. Commands of staff say so too; reads and renewed tokens do not. */
export const ActivityReply = reply(
  strict({
    /** Minutes after which staff who do nothing have to sign in again; absent for other accounts. */
    idle_minutes: Type.Optional(Type.Integer()),
  }),
);

/** POST /prod/api/auth/prove: opens `proof_required` routes for 15 minutes. 403 `wrong_password`, 429. */
export const Prove = strict({
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
});

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

/** Open work of a list. */
export const OpenWork = strict({
  count: Type.Integer(),
  /** How many of it are past their time, up to {@link MOST_COUNTED}. */
  late: Type.Integer(),
  /** Since when the oldest waits, RFC 3339; absent where nothing is open. */
  since: Type.Optional(Type.String()),
  /** When the first is due, RFC 3339; absent where nothing is open or nothing was promised. */
  due: Type.Optional(Type.String()),
});
export type OpenWork = Static<typeof OpenWork>;

const Work = strict(
  Object.fromEntries(WORK_LISTS.map((list) => [list, Type.Optional(OpenWork)])) as Record<
    WorkList,
    Type.TOptional<typeof OpenWork>
  >,
);

/** GET: what needs attention. A kind of which there is nothing is absent. */
export const NotificationsReply = reply(
  strict({
    notifications: Type.Array(Notification),
    /** Kinds that could not be read. */
    failed: Type.Array(codes(NOTIFICATION_KINDS)),
    /** What is open in each list; absent where it could not be read. */
    work: Work,
  }),
);
export type Notifications = Static<typeof NotificationsReply>["data"];
