import { ownAddress } from "#search/matching.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { type Caller, ownSubject } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";

/** Whether the caller is an account that has confirmed the address as its own. */
export async function hasConfirmed(
  email: string,
  caller: Caller,
  handler: Pick<CommandHandler, "load">,
): Promise<boolean> {
  if (ownSubject(caller) === undefined) return false;
  const account = (await handler.load(accountAggregate(caller.actor.id)))?.state;
  if (!account?.confirmed || account.closed || !account.profile) return false;
  return ownAddress(account.profile.email) === ownAddress(email);
}
