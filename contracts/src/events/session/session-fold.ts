import type { SessionEvent } from "../index.ts";

export interface SessionState {
  readonly ended: boolean;
}

/** The session after one more event of its stream. */
export function evolveSession(_: SessionState | undefined, { type }: SessionEvent): SessionState {
  return { ended: type === "SessionEnded" };
}
