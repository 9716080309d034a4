import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/*
 * Before sessions had their own streams, an account's stream held its sign-ins. These events are
 * still read, and no longer written.
 */

/** Names the family of refresh tokens that a sign-in starts. Knowing it gives access to nothing. */
const SessionId = Type.String({ format: "uuid" });

export const SignedIn = defineEvent("SignedIn", 1, strict({ session_id: SessionId }), {});

/** One session was ended, or all sessions of the account. */
export const SignedOut = defineEvent(
  "SignedOut",
  1,
  strict({
    scope: Type.Enum(["session", "all_sessions"]),
    /** Present with scope `session`, unless the token was no longer known. */
    session_id: Type.Optional(SessionId),
  }),
  {},
);

/** A refresh token was used a second time, so every session of the account was ended. */
export const RefreshTokenReused = defineEvent(
  "RefreshTokenReused",
  1,
  strict({ session_id: SessionId }),
  {},
);
