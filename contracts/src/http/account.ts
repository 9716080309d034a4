import { type Static, type TSchema, Type } from "typebox";
import { PASSWORD_LENGTH } from "../account/password-rule.ts";
import { PROFILE_FIELDS, type ProfileField, type ProfileRow } from "../account/profile-fields.ts";
import { Email, ONE_LINE, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** POST /prod/api/auth/two-factor/setup: nothing takes effect until a code confirms it. */
export const SetupTwoFactorReply = reply(
  strict({
    /** Base32, for typing in. */
    secret: Type.String(),
    /** An `otpauth://` URI for a QR code, as authenticator apps read it. */
    uri: Type.String(),
  }),
);

/** POST /prod/api/auth/two-factor/confirm: a code from the authenticator that was set up last. */
export const ConfirmTwoFactor = strict({ code: Type.String({ minLength: 6, maxLength: 40 }) });
const RecoveryCodes = Type.Array(Type.String());
/** The recovery codes are returned only once. Other sessions end; this one gets new tokens. */
export const ConfirmTwoFactorReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String(), recovery_codes: RecoveryCodes }),
);

const FactorCode = Type.String({ minLength: 6, maxLength: 40 });
/** Weakening an account's protection also requires a code. 403 `code_required`, `wrong_code`. */
export const WithFactorCode = strict({ code: Type.Optional(FactorCode) });

/** DELETE /prod/api/auth/two-factor: ends other sessions; this one gets new tokens. */
export const DisableTwoFactorReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String() }),
);

/** POST /prod/api/auth/two-factor/recovery-codes: voids the previous codes. Returned only once. */
export const RecoveryCodesReply = reply(strict({ recovery_codes: RecoveryCodes }));

/**
 * POST /prod/api/admin/users/{id}/two-factor/reset: for an owner who lost both device and codes. `reason`: why,
 * and how the admin verified the owner's identity. `code`: from the acting admin's own second factor, if the
 * account is an admin's. 403 `second_factor_required`, `code_required`, `wrong_code`; 409 `two_factor_off`.
 */
export const ResetTwoFactor = strict({
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  code: Type.Optional(FactorCode),
});

/** Returned instead of a session: the second factor's code is required within five minutes. */
export const Challenge = strict({ challenge: Type.String(), expires_at: Type.String() });
export type Challenge = Static<typeof Challenge>;

/** POST /prod/api/auth/login/two-factor. 400 `challenge_invalid`; 403 `wrong_code`, `link_required`. */
export const LoginTwoFactor = strict({
  challenge: Type.String({ minLength: 20, maxLength: 200 }),
  code: Type.String({ minLength: 6, maxLength: 40 }),
});

export const Role = Type.Enum(["user", "admin", "auditor"]);
export type Role = Static<typeof Role>;

/** Which emails the account gets. */
export const Preferences = strict({
  /** Decisions on its reports. */
  decisions: Type.Boolean(),
  /** Other reports about a person that it reported. */
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
  /** Unused recovery codes; only with a second factor. */
  recovery_codes_left: Type.Optional(Type.Integer({ minimum: 0 })),
  preferences: Type.Optional(Preferences),
  created_at: Type.String(),
  /** The last sign-in. Like `reports_count`, only in `GET /prod/api/auth/profile`. */
  last_login: Type.Optional(Type.String()),
  reports_count: Type.Optional(Type.Integer()),
  /** Whether it was confirmed at least 30 days ago and has an approved report; also only there. */
  in_good_standing: Type.Optional(Type.Boolean()),
  /** A new address that is waiting for confirmation; also only there. */
  email_change: Type.Optional(strict({ email: Type.String(), expires_at: Type.String() })),
});
export type User = Static<typeof User>;

/** POST /prod/api/auth/login. Compares any password; no reply reveals the rules for new ones. */
export const Login = strict({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 1000 }),
});
const Session = strict({
  user: User,
  token: Type.String(),
  refreshToken: Type.String(),
  /** Present if the sign-in canceled the deletion of the account. */
  deletion_canceled: Type.Optional(Type.Literal(true)),
});
/** A challenge if the account has a second factor: see POST /prod/api/auth/login/two-factor. */
export const LoginReply = reply(Type.Union([Session, Challenge]));

/** POST /prod/api/auth/refresh. A refresh token is for single use; the reply has the next one. */
export const Refresh = strict({ refreshToken: Type.String({ minLength: 20, maxLength: 200 }) });
export const RefreshReply = reply(strict({ token: Type.String(), refreshToken: Type.String() }));

/** POST /prod/api/auth/logout: ends the token's session, or with `all` every session of its account. */
export const Logout = strict({ all: Type.Optional(Type.Boolean()) });

export const ProfileReply = reply(strict({ user: User }));

const opt = Type.Optional;

/** A password to compare. The rules for new ones do not apply, and no reply reveals them. */
const Compared = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max });
/** A new password. `passwordProblem` checks it further, and the server rejects those that are easy to guess. */
const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const LinkToken = Type.String({ minLength: 1, maxLength: 500 });
const newPassword = { password: NewPassword, confirmPassword: NewPassword };

function profileText(field: ProfileField) {
  const { max: maxLength, prose }: ProfileRow = PROFILE_FIELDS[field];
  return Type.String({ minLength: 1, maxLength, ...(prose ? {} : { pattern: ONE_LINE }) });
}
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** POST /prod/api/auth/register. Rules that a schema cannot express are in account/account-rules.ts. */
export const Register = strict({
  first_name: profileText("first_name"),
  last_name: profileText("last_name"),
  email: Email,
  ...newPassword,
  phone: opt(profileText("phone")),
  company_name: opt(profileText("company")),
  website: opt(profileText("website")),
  /** Version of the terms that the form showed; the current one if absent. */
  terms_version: opt(Type.String({ minLength: 1, maxLength: 40 })),
});
export type Register = Static<typeof Register>;
/**
 * 409 `email_taken` if another account has confirmed the address, `terms_outdated` if the terms are not the
 * current ones.
 */
export const RegisterReply = reply(Session);

/** PUT /prod/api/auth/profile. An absent or empty field keeps its value, `null` clears it. */
export const EditProfile = strict({
  first_name: opt(profileText("first_name")),
  last_name: opt(profileText("last_name")),
  phone: opt(orNull(profileText("phone"))),
  company: opt(orNull(profileText("company"))),
  website: opt(orNull(profileText("website"))),
  job_title: opt(orNull(profileText("job_title"))),
  bio: opt(orNull(profileText("bio"))),
});
export type EditProfile = Static<typeof EditProfile>;
export const EditProfileReply = reply(strict({ user: User }));

/** GET /prod/api/auth/preferences */
export const PreferencesReply = reply(
  strict({
    preferences: Preferences,
    /** Whether the account's address is confirmed. Until then it gets none of these emails. */
    confirmed: Type.Boolean(),
  }),
);
/** PUT /prod/api/auth/preferences. Absent settings are unchanged. */
export const SetPreferences = Type.Partial(Preferences, {
  additionalProperties: false,
  minProperties: 1,
});
export type SetPreferences = Static<typeof SetPreferences>;
export const SetPreferencesReply = reply(strict({ preferences: Preferences }));

/**
 * POST /prod/api/verify-email/{token}: confirms a report's address or an account's. 400 `link_invalid`. Outside
 * the account's own sessions, 403 `password_required`: the password chosen at registration keeps everything (403
 * `wrong_password`, 429 after a hundred in an hour). With `start_over`, the account's password, profile and
 * reports are dropped.
 */
export const VerifyEmail = strict({
  password: opt(Compared),
  start_over: opt(Type.Boolean()),
});
export type VerifyEmail = Static<typeof VerifyEmail>;
/** `set_password` follows `start_over`. `reset_token` is for POST /prod/api/auth/reset-password. */
export const VerifyEmailReply = reply(
  strict({
    kind: Type.Enum(["report", "account"]),
    next: Type.Enum(["done", "set_password"]),
    reset_token: opt(Type.String()),
  }),
);
export type VerifyEmailReply = Static<typeof VerifyEmailReply>;

/** POST /prod/api/auth/resend-verification, signed in. The reply is always the same. */
export const ResendConfirmation = strict({});

/** POST /prod/api/auth/forgot-password. The reply is always the same. */
export const ForgotPassword = strict({ email: Email });

/** POST /prod/api/auth/reset-password. 400 `link_invalid`. */
export const ResetPassword = strict({
  token: LinkToken,
  ...newPassword,
});

/** POST /prod/api/auth/change-password. 403 `wrong_password`. Ends other sessions. */
export const ChangePassword = strict({ currentPassword: Compared, ...newPassword });
/** New tokens for the session that changed it; its previous tokens are void. */
export const ChangePasswordReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String() }),
);

/** DELETE /prod/api/auth/account. 403 `wrong_password`, `code_required`, `wrong_code`; 429 after 100 wrong passwords an hour. */
export const DeleteAccount = strict({ password: Compared, ...WithFactorCode.properties });
export type DeleteAccount = Static<typeof DeleteAccount>;
export const DeleteAccountReply = reply(strict({ erase_at: Type.String() }));

/** POST /prod/api/auth/change-email: emails a link to the new address. The reply is the same if someone else has it. */
export const ChangeEmail = strict({ email: Email, ...WithFactorCode.properties });

/** DELETE /prod/api/auth/change-email: voids the link and keeps the address. Succeeds even without a request. */
export const WithdrawEmailChange = strict({});

/** POST /prod/api/auth/confirm-email-change. 400 `link_invalid`, 409 `email_taken`. Ends other sessions. */
export const ConfirmEmailChange = strict({ token: LinkToken });
export const ConfirmEmailChangeReply = ChangePasswordReply;

/**
 * POST /prod/api/auth/undo-email-change. Ends all sessions. `reset_token` is for POST
 * /prod/api/auth/reset-password.
 */
export const UndoEmailChange = strict({ token: LinkToken });
export const UndoEmailChangeReply = reply(strict({ reset_token: opt(Type.String()) }));
