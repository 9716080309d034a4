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

/** Names the family of refresh tokens that a sign-in starts; it gives access to nothing. */
const SessionId = Type.String({ format: "uuid" });

export const SignedIn = defineEvent("SignedIn", 1, strict({ session_id: SessionId }), {});

/** One session was ended, or all of the account. */
export const SignedOut = defineEvent(
  "SignedOut",
  1,
  strict({
    scope: Type.Enum(["session", "all_sessions"]),
    /** With scope `session`; absent when its token was not known any more. */
    session_id: Type.Optional(SessionId),
  }),
  {},
);

/** A refresh token was used a second time: every session of the account was ended. */
export const RefreshTokenReused = defineEvent(
  "RefreshTokenReused",
  1,
  strict({ session_id: SessionId }),
  {},
);
