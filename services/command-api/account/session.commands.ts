import type { OpenData } from "#contracts/events/definition.ts";
import type { SessionEnded, SessionStarted } from "#contracts/events/session/session-events.ts";

/** What a session begins with. */
export interface Beginning {
  readonly accountId: string;
  /** Whether the account knows the browser. */
  readonly device: OpenData<typeof SessionStarted>["device"];
  /** The account's, against which its credentials were checked. */
  readonly revision: number;
}

/** What was noted last of a session: that it began, or was used. */
export interface Noted {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Whether this use comes from the same address and browser. */
  readonly isSameClient: boolean;
}

/** Why a session ended by itself. */
export type EndCause = Exclude<OpenData<typeof SessionEnded>["cause"], "ended_by_admin">;

/** What may be asked of a session. */
export type SessionCommand =
  | { readonly type: "SignIn"; readonly begins: Beginning }
  | { readonly type: "RefreshSession"; readonly noted: Noted }
  /** By a token from before sessions were kept: its session begins. */
  | { readonly type: "RefreshSession"; readonly begins: Beginning }
  /** By a token that was traded before, when no two tabs can be racing any more. */
  | { readonly type: "RefreshSession"; readonly isReused: true }
  | { readonly type: "SignOut" }
  | { readonly type: "EndSession" }
  | { readonly type: "ExpireSession"; readonly cause: "idle" | "expired" };
