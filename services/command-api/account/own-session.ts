import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { OwnSession } from "./account.commands.ts";
import { owned, sessionOver } from "./account.decider.ts";
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

/**
 * For what an account does in another stream, as submitting a report: the log says whether the session
 * goes on, also where the tables do not know of its end yet. Staff may act in a session that was lent
 * to them, of which the log holds nothing.
 * @returns the account's revision: what comes after it may have ended the session. -1 without an account.
 * @throws {DomainError} `invalid_token`
 */
export async function requireOwnSession(handler: CommandHandler, caller: Caller): Promise<number> {
  const { id, role } = caller.actor;
  if (role === "visitor" || role === "system") return -1;
  if (role !== "user") return handler.lastRevision(accountAggregate(id));
  const own = await ownSession(handler, caller);
  const loaded = await handler.load(accountAggregate(id));
  owned(loaded?.state, own);
  return loaded?.revision ?? -1;
}
