import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { SessionEvent } from "./index.ts";
import { Instant } from "./instant.ts";

/*
 * A session is a stream from sign-in to sign-out, so no sign-in waits for another or reads the
 * account's history. The metadata of each event holds the network address and the user agent,
 * sealed under the account's key. A list of sessions is built from these events alone.
 */

/** Someone signed in. The stream's id identifies the session in access tokens. */
export const SessionStarted = defineEvent(
  "SessionStarted",
  1,
  strict({
    account_id: Type.String({ format: "uuid" }),
    method: Type.Enum(["password", "two_factor", "recovery_code", "registration"]),
    /** Whether the account knew the browser: from before, not at all, or from an emailed link. */
    device: Type.Enum(["known", "new", "linked"]),
    /** Revision of the account's stream at which its credentials were checked. */
    account_revision: Type.Integer({ minimum: 0 }),
    /** When the session ends, regardless of use. */
    expires_at: Instant,
  }),
  {},
);

/**
 * The session was used on another day, or from another address or browser, than in its last event.
 * The metadata says from where.
 */
export const SessionUsed = defineEvent("SessionUsed", 1, strict({}), {});

/** This session ended. The account's `SessionsEnded` also ends sessions. */
export const SessionEnded = defineEvent(
  "SessionEnded",
  1,
  strict({
    /**
     * `refresh_token_reused`: a refresh token was used a second time, so someone else has it.
     * `idle`: no one used the session for too long. `expired`: its `expires_at` had passed. `log_restored`: the
     * log was restored from a backup, which ends all sessions.
     */
    cause: Type.Enum([
      "signed_out",
      "ended_by_owner",
      "ended_by_admin",
      "refresh_token_reused",
      "idle",
      "expired",
      "log_restored",
    ]),
  }),
  {},
);

/** The user entered the account's password again. */
export const PasswordProved = defineEvent("PasswordProved", 1, strict({}), {});

export const sessionDefinitions = [
  SessionStarted,
  SessionUsed,
  SessionEnded,
  PasswordProved,
] as const;

export interface SessionState {
  readonly ended: boolean;
  /** Revision of the account's stream against which its credentials were checked. */
  readonly accountRevision: number;
}

/**
 * Applies one event of the session's stream.
 * @throws {Error} if any event precedes `SessionStarted`.
 */
export function evolveSession(state: SessionState | undefined, event: SessionEvent): SessionState {
  if (event.type === "SessionStarted")
    return { ended: false, accountRevision: event.data.account_revision };
  if (!state) throw new Error(`${event.type} comes before SessionStarted`);
  return event.type === "SessionEnded" ? { ...state, ended: true } : state;
}
