import type { SessionEvent } from "../index.ts";

export interface SessionState {
  readonly ended: boolean;
  /** Revision of the account's stream against which its credentials were checked. */
  readonly accountRevision: number;
}

/** The session after one more event of its stream. */
export function evolveSession(state: SessionState | undefined, event: SessionEvent): SessionState {
  if (event.type === "SessionStarted")
    return { ended: false, accountRevision: event.data.account_revision };
  if (!state) throw new Error(`${event.type} stands before SessionStarted`);
  return event.type === "SessionEnded" ? { ...state, ended: true } : state;
}
