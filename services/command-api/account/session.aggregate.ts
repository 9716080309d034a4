import { type SessionEvent, streams } from "#contracts/events/index.ts";
import { evolveSession, type SessionState } from "#contracts/events/session/session-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";

/** One sign-in: a stream of its own, so that nobody waits for anybody. */
export function sessionAggregate(id: string, accountId: string): Aggregate<SessionState> {
  return {
    stream: streams.session(id),
    subjects: {},
    bodySubjects: [],
    clientSubject: (caller) => ownSubject(caller) ?? subjects.account(accountId),
    newSubjects: () => [],
    evolve: (state, event) => evolveSession(state, event as SessionEvent),
  };
}
