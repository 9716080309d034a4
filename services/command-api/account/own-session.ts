import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { OwnSession } from "./account.commands.ts";
import { sessionOver } from "./account.decider.ts";
import { sessionAggregate } from "./session.aggregate.ts";

/**
 * The session that the caller is signed in with, as the decider wants it.
 * @throws {DomainError} `invalid_token` where the log knows of none.
 */
export async function ownSession(handler: CommandHandler, { actor }: Caller): Promise<OwnSession> {
  const { id: accountId, sessionId: id } = actor;
  const session = id ? await handler.loadFirst(sessionAggregate(id, accountId)) : undefined;
  if (!id || !session) throw sessionOver();
  return { id, accountRevision: session.accountRevision };
}
