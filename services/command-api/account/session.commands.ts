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

/** Why a session ended by itself. */
export type EndCause = Exclude<OpenData<typeof SessionEnded>["cause"], "ended_by_admin">;

/** What may be asked of a session. */
export type SessionCommand =
  | { readonly type: "SignIn"; readonly begins: Beginning }
  | {
      readonly type: "RefreshSession";
      /** Of a token from before sessions were kept: its session begins. */
      readonly begins?: Beginning;
      /** The token was traded before, and no two tabs can be racing any more. */
      readonly isReused?: boolean;
    }
  | { readonly type: "SignOut" }
  | { readonly type: "EndSession" }
  | { readonly type: "ExpireSession"; readonly cause: "idle" | "expired" };
