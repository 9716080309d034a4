import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

export const AccountRole = Type.Enum(["user", "admin", "auditor"]);

/** An account was made. */
export const AccountAdded = defineEvent("AccountAdded", 1, strict({ role: AccountRole }), {
  account: strict({
    email: Type.String({ minLength: 3 }),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
});

/** The operator gave the account a new password; every session of it ended. */
export const PasswordReset = defineEvent("PasswordReset", 1, strict({}), {});

export const SignedIn = defineEvent("SignedIn", 1, strict({}), {});
export const SignedOut = defineEvent("SignedOut", 1, strict({}), {});

/** A refresh token was used a second time: its whole family was revoked. */
export const RefreshTokenReused = defineEvent("RefreshTokenReused", 1, strict({}), {});
