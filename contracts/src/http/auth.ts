import { type Static, Type } from "typebox";
import { Email, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";
import { Challenge } from "./two-factor.ts";

export const Role = Type.Enum(["user", "admin", "auditor"]);
export type Role = Static<typeof Role>;

/** Which mails the account gets. */
export const Preferences = strict({
  /** About decisions on its reports. */
  decisions: Type.Boolean(),
  /** About other reports on a person that it reported. */
  same_person: Type.Boolean(),
  weekly_summary: Type.Boolean(),
});
export type Preferences = Static<typeof Preferences>;

/** An account as its owner sees it. */
export const User = strict({
  id: Type.String({ format: "uuid" }),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  phone: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  website: Type.Optional(Type.String()),
  job_title: Type.Optional(Type.String()),
  bio: Type.Optional(Type.String()),
  role: Role,
  /** Whether the account's address is confirmed. */
  confirmed: Type.Optional(Type.Boolean()),
  two_factor: Type.Optional(Type.Boolean()),
  /** Recovery codes that nobody used; only with a second factor. */
  recovery_codes_left: Type.Optional(Type.Integer({ minimum: 0 })),
  preferences: Type.Optional(Preferences),
  created_at: Type.String(),
  /** The last sign-in. Like the number of reports, only in `GET /prod/api/auth/profile`. */
  last_login: Type.Optional(Type.String()),
  reports_count: Type.Optional(Type.Integer()),
  /** Whether it was confirmed 30 days ago or more and has an approved report; also only there. */
  in_good_standing: Type.Optional(Type.Boolean()),
  /** Another address that waits for its confirmation; also only there. */
  email_change: Type.Optional(strict({ email: Type.String(), expires_at: Type.String() })),
});
export type User = Static<typeof User>;

/**
 * POST /prod/api/auth/login. The rules for new passwords do not apply here: any password is
 * compared, and no reply explains the rules.
 */
export const Login = strict({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 1000 }),
});
export const Session = strict({
  user: User,
  token: Type.String(),
  refreshToken: Type.String(),
  /** Present where the sign-in took back the deletion of the account. */
  deletion_canceled: Type.Optional(Type.Literal(true)),
});
/** A challenge where the account has a second factor: see POST /prod/api/auth/login/two-factor. */
export const LoginReply = reply(Type.Union([Session, Challenge]));

/** POST /prod/api/auth/refresh. A refresh token is for single use; the reply holds the next one. */
export const Refresh = strict({ refreshToken: Type.String({ minLength: 20, maxLength: 200 }) });
export const RefreshReply = reply(strict({ token: Type.String(), refreshToken: Type.String() }));

/**
 * POST /prod/api/auth/logout: ends the session that the access token names, or with `all` every
 * session of its account. The tokens are void at once.
 */
export const Logout = strict({
  all: Type.Optional(Type.Boolean()),
  /** Sent by pages of earlier versions. It belongs to the same session. */
  refreshToken: Type.Optional(Type.String({ maxLength: 200 })),
});

export const ProfileReply = reply(strict({ user: User }));
