import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";

/**
 * The token to set a password that a command gives in its answer, where a mailed link voids the former
 * one. A repeat may come when its link was used already.
 * @param state after the command.
 */
export async function answeredResetToken(
  aggregateId: string,
  state: AccountState | undefined,
  { handler, links }: { readonly handler: CommandHandler; readonly links: OneTimeLinks },
): Promise<string | undefined> {
  const link = state?.passwordResets.findLast(({ delivery }) => delivery === "answer");
  const present = (await handler.load(accountAggregate(aggregateId)))?.state;
  const isOpen = present?.passwordResets.some(({ link_id }) => link_id === link?.link_id);
  if (!link || !isOpen) return undefined;
  const { link_id: linkId, expires_at: expiresAt } = link;
  return links.makeToken("reset-password", { aggregateId, linkId, expiresAt });
}
