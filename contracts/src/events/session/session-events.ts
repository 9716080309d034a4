import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";

/*
 * A session is a stream from sign-in to sign-out, so that no sign-in waits for another or reads the
 * account's history. Device and network are the address and user agent in each event's metadata,
 * sealed under the account's key; what a list of sessions shows comes from these events alone.
 */

/** Somebody signed in. The stream's id names the session in access tokens. */
export const SessionStarted = defineEvent(
  "SessionStarted",
  1,
  strict({
    account_id: Type.String({ format: "uuid" }),
    method: Type.Enum(["password", "two_factor", "recovery_code", "registration"]),
    /** Whether the account knew the browser: from before, not at all, or by a link of a mail. */
    device: Type.Enum(["known", "new", "linked"]),
    /** Revision of the account's stream against which its credentials were checked. */
    account_revision: Type.Integer({ minimum: 0 }),
    /** When it ends however much it is used. */
    expires_at: Instant,
  }),
  {},
);

/**
 * The session was used on another day than the last event says, or from another address or browser:
 * from the one in the metadata.
 */
export const SessionUsed = defineEvent("SessionUsed", 1, strict({}), {});

/** The session was ended by itself. `SessionsEnded` of the account ends it as well. */
export const SessionEnded = defineEvent(
  "SessionEnded",
  1,
  strict({
    /**
     * `refresh_token_reused`: a token that was traded before came back; somebody else has it.
     * `idle`: nobody used it for too long; `expired`: its `expires_at` had come.
     */
    cause: Type.Enum([
      "signed_out",
      "ended_by_owner",
      "ended_by_admin",
      "refresh_token_reused",
      "idle",
      "expired",
    ]),
  }),
  {},
);
