import { type Static, Type } from "typebox";
import { PASSWORD_LENGTH } from "../account/password-rule.ts";
import {
  MAX_COUNTED,
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
  /** Accurate to a quarter of an hour, because a page renews its token that often. */
  last_used_at: Type.String(),
  /** Whether it is the requesting session. */
  current: Type.Boolean(),
  /** "Firefox on Linux"; absent if unknown. */
  device: Type.Optional(Type.String()),
  /** Only the network, never the full address: "203.0.x.x", "2001:db8:12::/48". */
  network: Type.Optional(Type.String()),
});
export type OwnSession = Static<typeof OwnSession>;

/** GET /prod/api/auth/sessions: the current one first, then by last use; at most 100 others. */
export const SessionsReply = reply(strict({ sessions: Type.Array(OwnSession) }));

/** DELETE /prod/api/auth/sessions: ends every session but the current one. */
export const EndedSessionsReply = reply(strict({ ended: Type.Integer() }));

/**
 * POST /prod/api/auth/activity: records that a person is active. Staff commands count too; reads and token
 * renewals do not.
 */
export const ActivityReply = reply(
  strict({
    /** Idle minutes after which staff must sign in again; absent for other accounts. */
    idle_minutes: Type.Optional(Type.Integer()),
  }),
);

/** POST /prod/api/auth/prove: opens `proof_required` routes for 15 minutes. 403 `wrong_password`, 429. */
export const Prove = strict({
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
});

const Count = Type.Integer({ minimum: 1, maximum: MAX_COUNTED });

export const Notification = strict({
  kind: codes(NOTIFICATION_KINDS),
  /** {@link MAX_COUNTED} means that many or more. */
  count: Count,
  /** How many of them are past their promised time; absent if none is. */
  late: Type.Optional(Count),
  /** Time of the oldest one, RFC 3339. */
  since: Type.String(),
});
export type Notification = Static<typeof Notification>;

/** Open work in a list. */
export const OpenWork = strict({
  count: Type.Integer(),
  /** How many are overdue, up to {@link MAX_COUNTED}. */
  late: Type.Integer(),
  /** Since when the oldest has been waiting, RFC 3339; absent if nothing is open. */
  since: Type.Optional(Type.String()),
  /** When the first is due, RFC 3339; absent if nothing is open or nothing was promised. */
  due: Type.Optional(Type.String()),
});
export type OpenWork = Static<typeof OpenWork>;

const Work = strict(
  Object.fromEntries(WORK_LISTS.map((list) => [list, Type.Optional(OpenWork)])) as Record<
    WorkList,
    Type.TOptional<typeof OpenWork>
  >,
);

/** GET: everything that needs attention. Kinds with nothing to report are absent. */
export const NotificationsReply = reply(
  strict({
    notifications: Type.Array(Notification),
    /** Kinds that could not be read. */
    failed: Type.Array(codes(NOTIFICATION_KINDS)),
    /** Open work by list; absent for a list that could not be read. */
    work: Work,
  }),
);
export type Notifications = Static<typeof NotificationsReply>["data"];
