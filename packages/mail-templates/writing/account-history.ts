import type { UserEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { type Position, START } from "#event-store/port.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";

/** An account as of its last event. */
export interface AccountHistory {
  readonly state: AccountState | undefined;
  /** Indexed by revision. */
  readonly events: readonly UserEvent[];
  /** Reports submitted before this position don't belong to the account. */
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
