import { type Static, type TSchema, Type } from "typebox";
import { PASSWORD_LENGTH } from "../account/password-rule.ts";
import { PROFILE_FIELDS, type ProfileField, type ProfileRow } from "../account/profile-fields.ts";
import { Email, strict } from "../report/fields.ts";
import { ONE_LINE } from "../report/one-line.ts";
import { Preferences, Session, User } from "./auth.ts";
import { reply } from "./envelope.ts";
import { WithFactorCode } from "./two-factor.ts";

const opt = Type.Optional;

/** A password to compare. The rules for new ones do not apply, and no reply explains them. */
const Compared = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max });
/** A new password. `passwordProblem` checks it further, and the server refuses those that are easy to guess. */
const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const LinkToken = Type.String({ minLength: 1, maxLength: 500 });
const newPassword = { password: NewPassword, confirmPassword: NewPassword };

function profileText(field: ProfileField) {
  const { max: maxLength, prose }: ProfileRow = PROFILE_FIELDS[field];
  return Type.String({ minLength: 1, maxLength, ...(prose ? {} : { pattern: ONE_LINE }) });
}
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/**
 * POST /prod/api/auth/register. Rules that a schema cannot express are in account/account-rules.ts.
 */
export const Register = strict({
  first_name: profileText("first_name"),
  last_name: profileText("last_name"),
  email: Email,
  ...newPassword,
  phone: opt(profileText("phone")),
  company_name: opt(profileText("company")),
  website: opt(profileText("website")),
  /** The terms that the form showed; those in force when absent. */
  terms_version: opt(Type.String({ minLength: 1, maxLength: 40 })),
});
export type Register = Static<typeof Register>;
/**
 * 409 `email_taken` if another account has confirmed the address, `terms_outdated` for an agreement to
 * other terms than those in force.
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
    /** Whether the account's address is confirmed: until then no mail follows from them. */
    confirmed: Type.Boolean(),
  }),
);
/** PUT /prod/api/auth/preferences. What is absent stays as it is. */
export const SetPreferences = Type.Partial(Preferences, {
  additionalProperties: false,
  minProperties: 1,
});
export type SetPreferences = Static<typeof SetPreferences>;
export const SetPreferencesReply = reply(strict({ preferences: Preferences }));

/**
 * POST /prod/api/verify-email/{token}: confirms a report's address or an account's. 400
 * `link_invalid`. Outside of the account's own sessions, 403 `password_required`: the password chosen
 * at registration (403 `wrong_password`, 429 after a hundred in an hour) keeps everything. With
 * `start_over`, password, profile and reports of the account are dropped.
 */
export const VerifyEmail = strict({
  password: opt(Compared),
  start_over: opt(Type.Boolean()),
});
export type VerifyEmail = Static<typeof VerifyEmail>;
/** `set_password` follows `start_over`: `reset_token` is for POST /prod/api/auth/reset-password. */
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

/** POST /prod/api/auth/change-password. 403 `wrong_password`. Other sessions end. */
export const ChangePassword = strict({ currentPassword: Compared, ...newPassword });
/** New tokens for the session that changed it; its former tokens are void. */
export const ChangePasswordReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String() }),
);

/**
 * DELETE /prod/api/auth/account: sessions end, and the account is erased at `erase_at` unless its owner signs in
 * before. 403 `wrong_password`, `code_required`, `wrong_code`; 429 after a hundred wrong passwords in an hour.
 */
export const DeleteAccount = strict({ password: Compared, ...WithFactorCode.properties });
export type DeleteAccount = Static<typeof DeleteAccount>;
export const DeleteAccountReply = reply(strict({ erase_at: Type.String() }));

/**
 * POST /prod/api/auth/change-email: a link goes to the new address. The reply is the same whether the
 * address is somebody else's or not.
 */
export const ChangeEmail = strict({ email: Email, ...WithFactorCode.properties });

/** DELETE /prod/api/auth/change-email: the link is void, and the address stays. Done also without a request. */
export const WithdrawEmailChange = strict({});

/**
 * POST /prod/api/auth/confirm-email-change: the link of that mail, in a session of the account. 400
 * `link_invalid`, 409 `email_taken`. Other sessions end; this one has new tokens.
 */
export const ConfirmEmailChange = strict({ token: LinkToken });
export const ConfirmEmailChangeReply = ChangePasswordReply;

/**
 * POST /prod/api/auth/undo-email-change: the link in the mail to the former address, for a week. All
 * sessions end, and the password is void: `reset_token` is for POST /prod/api/auth/reset-password.
 */
export const UndoEmailChange = strict({ token: LinkToken });
export const UndoEmailChangeReply = reply(strict({ reset_token: opt(Type.String()) }));
