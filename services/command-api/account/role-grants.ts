import { NEW_ROLE_HOURS } from "#contracts/account/deadlines.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import type { EventMetadata } from "#event-store/port.ts";
import type { CommandHandler, HistoryEntry } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";

const FRESH_MS = NEW_ROLE_HOURS * 3_600_000;

/** Returns the accounts that gave this one a staff role less than 24 hours ago, excluding the operator. */
export function freshGranters(
  history: readonly HistoryEntry<AccountState>[],
  now: string,
): Set<string> {
  const granters = new Set<string>();
  let role: AccountState["role"] = "user";
  for (const { state, metadata } of history) {
    const isGrant = state.role !== role && state.role !== "user";
    role = state.role;
    if (isGrant && isFresh(metadata, now)) granters.add(metadata.actor.id);
  }
  return granters;
}

/**
 * Returns the account, those who gave it a staff role less than 24 hours ago, those who gave them theirs, and so
 * on: all of them may belong to one person.
 * @param now RFC 3339, UTC.
 */
export async function grantChain(
  accountId: string,
  now: string,
  handler: Pick<CommandHandler, "history">,
): Promise<ReadonlyMap<string, readonly HistoryEntry<AccountState>[]>> {
  const chain = new Map<string, readonly HistoryEntry<AccountState>[]>();
  const found = [accountId];
  for (const id of found) {
    if (chain.has(id)) continue;
    const history = await handler.history(accountAggregate(id));
    chain.set(id, history);
    found.push(...freshGranters(history, now));
  }
  return chain;
}

/** Whether one person may own both accounts, so that neither can give a second opinion on the other. */
export async function maySharePerson(
  first: string,
  second: string,
  now: string,
  handler: Pick<CommandHandler, "history">,
): Promise<boolean> {
  const [a, b] = await Promise.all([first, second].map((id) => grantChain(id, now, handler)));
  return [...(a?.keys() ?? [])].some((id) => b?.has(id));
}

function isFresh({ actor, time }: EventMetadata, now: string): boolean {
  return actor.role !== "system" && Date.parse(time) > Date.parse(now) - FRESH_MS;
}
