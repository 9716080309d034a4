import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/*
 * Until sessions had their own streams, an account's stream held its sign-ins. These are read for
 * ever and written no more.
 */

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
