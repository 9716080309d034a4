import { type SessionEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";

export interface SessionState {
  readonly ended: boolean;
}

/** One sign-in: a stream of its own, so that nobody waits for anybody. */
export function sessionAggregate(id: string, accountId: string): Aggregate<SessionState> {
  return {
    stream: streams.session(id),
    subjects: {},
    bodySubjects: [],
    clientSubject: (caller) => ownSubject(caller) ?? subjects.account(accountId),
    newSubjects: () => [],
    evolve: (_state, event) => ({ ended: (event as SessionEvent).type === "SessionEnded" }),
  };
}
