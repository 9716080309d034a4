import type { OpenData } from "#contracts/events/definition.ts";
import type { SessionEnded, SessionStarted } from "#contracts/events/session.ts";

/** What a session starts with. */
export interface Beginning {
  readonly accountId: string;
  /** `password` when absent. */
  readonly method?: OpenData<typeof SessionStarted>["method"];
  /** Whether the account knows the browser. */
  readonly device: OpenData<typeof SessionStarted>["device"];
  /** Revision of the account at which its credentials were checked. */
  readonly revision: number;
}

/** What the log last recorded of a session: its start or a use. */
export interface Noted {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Whether the current use comes from the same address and browser. */
  readonly isSameClient: boolean;
}

/** Why a session ended without an admin's command. */
export type EndCause = Exclude<OpenData<typeof SessionEnded>["cause"], "ended_by_admin">;

/** The commands about a session. */
export type SessionCommand =
  | { readonly type: "SignIn"; readonly begins: Beginning }
  | { readonly type: "RefreshSession"; readonly noted: Noted }
  /** With a token that was exchanged before, too long ago for a race between two tabs. */
  | { readonly type: "RefreshSession"; readonly isReused: true }
  | { readonly type: "ProvePassword" }
  | { readonly type: "SignOut" }
  | { readonly type: "EndSession" }
  | { readonly type: "ExpireSession"; readonly cause: "idle" | "expired" | "log_restored" };
