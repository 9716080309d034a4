import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** POST /prod/api/auth/two-factor/setup: nothing is in force before a code confirms it. */
export const SetupTwoFactorReply = reply(
  strict({
    /** To type in, in base32. */
    secret: Type.String(),
    /** For a QR code: an `otpauth://` address as authenticator apps read it. */
    uri: Type.String(),
  }),
);

/** POST /prod/api/auth/two-factor/confirm: a code of the authenticator that was set up last. */
export const ConfirmTwoFactor = strict({ code: Type.String({ minLength: 6, maxLength: 40 }) });
const RecoveryCodes = Type.Array(Type.String());
/** The codes are shown this once. Other sessions are over; this one has new tokens. */
export const ConfirmTwoFactorReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String(), recovery_codes: RecoveryCodes }),
);

const FactorCode = Type.String({ minLength: 6, maxLength: 40 });
/**
 * What weakens the protection of an account asks for a code of its second factor, or a recovery code, besides the
 * password. 403 `code_required`, `wrong_code`.
 */
export const WithFactorCode = strict({ code: Type.Optional(FactorCode) });

/** DELETE /prod/api/auth/two-factor: other sessions are over; this one has new tokens. */
export const DisableTwoFactorReply = reply(
  strict({ token: Type.String(), refreshToken: Type.String() }),
);

/** POST /prod/api/auth/two-factor/recovery-codes: the former ones are void. Shown this once. */
export const RecoveryCodesReply = reply(strict({ recovery_codes: RecoveryCodes }));

/**
 * POST /prod/api/admin/users/{id}/two-factor/reset: its owner lost both device and codes. `reason`:
 * why, and how the admin knows whom they helped. `code`: of the asking admin's own second factor, where
 * the account is an admin's. 403 `second_factor_required`, `code_required`, `wrong_code`; 409 `two_factor_off`.
 */
export const ResetTwoFactor = strict({
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  code: Type.Optional(FactorCode),
});

/** In place of a session: the code of the second factor is still to come, within five minutes. */
export const Challenge = strict({ challenge: Type.String(), expires_at: Type.String() });
export type Challenge = Static<typeof Challenge>;

/**
 * POST /prod/api/auth/login/two-factor: from the browser that gave the password. `code`: of the
 * authenticator, or a recovery code. 400 `challenge_invalid`; 403 `wrong_code`, `link_required`.
 */
export const LoginTwoFactor = strict({
  challenge: Type.String({ minLength: 20, maxLength: 200 }),
  code: Type.String({ minLength: 6, maxLength: 40 }),
});
