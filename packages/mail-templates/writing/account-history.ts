import type { UserEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { type Position, START } from "#event-store/port.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";

/** An account as its events leave it. */
export interface AccountHistory {
  readonly state: AccountState | undefined;
  /** By revision. */
  readonly events: readonly UserEvent[];
  /** Reports that the account submitted before this position belong to no account. */
  readonly ownsAfter: Position;
}

/** @throws as {@link openStream} does. */
export async function readAccount(id: string, deps: StreamDeps): Promise<AccountHistory> {
  const { events } = await openStream<UserEvent>(streams.user(id), deps);
  let state: AccountState | undefined;
  let ownsAfter = START;
  for (const { stored, event } of events) {
    state = evolveAccount(state, event);
    if (event.type === "EmailConfirmed" && event.data.dropped) ownsAfter = stored.position;
  }
  return { state, events: events.map(({ event }) => event), ownsAfter };
}
