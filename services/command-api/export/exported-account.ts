import type { UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { given } from "#contracts/given.ts";
import {
  EXPORTED_EVENTS,
  type ExportedAccount,
  type ExportedEvent,
} from "#contracts/http/account-export.ts";
import { type Position, START } from "#event-store/port.ts";
import type { Account } from "../account/account.store.ts";
import { toUser } from "../account/account-user.ts";
import { type OpenedStream, placeOf } from "./opened-stream.ts";

/** The account after all of its events; undefined before the first. */
export function stateOf({ events }: OpenedStream<UserEvent>): AccountState | undefined {
  return events.reduce<AccountState | undefined>(
    (state, { event }) => evolveAccount(state, event),
    undefined,
  );
}

/** Reports that were submitted before this position are nobody's: a confirmation dropped them. */
export function ownsAfter({ events }: OpenedStream<UserEvent>): Position {
  const dropped = events.findLast(
    ({ event }) => event.type === "EmailConfirmed" && event.data.dropped,
  );
  return dropped?.stored.position ?? START;
}

/** What the account is, as its history says. */
export function exportedAccount(
  account: Account,
  { profile, emailChange, notifications, secondFactor }: AccountState,
): Pick<ExportedAccount, "account" | "email_change"> {
  const { email = "", ...words } = profile ?? { first_name: "", last_name: "" };
  const left = secondFactor && secondFactor.codes - secondFactor.used.length;
  const { link, email: wanted } = emailChange ?? {};
  return {
    account: {
      ...toUser(account, email, words),
      preferences: notifications,
      ...given({ recovery_codes_left: left }),
    },
    ...(link && wanted ? { email_change: { email: wanted, expires_at: link.expires_at } } : {}),
  };
}

/**
 * What happened to the account. Where a confirmation dropped everything, only what came after: what was
 * before may be somebody else's.
 */
export function exportedHistory(
  { events, keys }: OpenedStream<UserEvent>,
  accountId: string,
): ExportedEvent[] {
  const first = events.findLastIndex(
    ({ event }) => event.type === "EmailConfirmed" && event.data.dropped,
  );
  return events
    .slice(Math.max(first, 0))
    .slice(-EXPORTED_EVENTS)
    .map(({ stored }) => ({
      event: stored.type,
      at: stored.metadata.time,
      ...placeOf(stored, accountId, keys),
    }));
}
