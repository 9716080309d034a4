import { streams } from "#contracts/events/index.ts";
import { evolveSession, type SessionState } from "#contracts/events/session.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { decideSession, type SessionCommand } from "./session.decider.ts";

/** Stream of one session. Each has its own, so that sign-ins do not conflict. */
export function sessionAggregate(
  id: string,
  accountId: string,
): Aggregate<SessionState, SessionCommand> {
  return {
    stream: streams.session(id),
    clientSubject: (caller) => ownSubject(caller) ?? subjects.account(accountId),
    evolve: evolveSession,
    decide: decideSession,
  };
}
