import type { UserEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import type { EventStore, Position, StoredEvent } from "#event-store/port.ts";
import { START } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly codec: RegistryCodec;
}

/** An account as its events leave it. */
export interface AccountHistory {
  /** Undefined without events. */
  readonly state: AccountState | undefined;
  /** By revision. */
  readonly events: readonly UserEvent[];
  /** Reports that the account submitted before this position are nobody's. */
  readonly ownsAfter: Position;
}

/** @throws {UnknownEvent} @throws {KeyMissing} @throws {StoreUnavailable} @throws {KeyStoreUnavailable} */
export async function readAccount(
  id: string,
  { store, keys, codec }: Deps,
): Promise<AccountHistory> {
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(streams.user(id))) stored.push(event);
  const found = await keys.get(codec.subjectsOf(stored));
  const events: UserEvent[] = [];
  let state: AccountState | undefined;
  let ownsAfter = START;
  for (const event of stored) {
    const opened = codec.openEvent(event, found) as UserEvent;
    events.push(opened);
    state = evolveAccount(state, opened);
    if (opened.type === "EmailConfirmed" && opened.data.dropped) ownsAfter = event.position;
  }
  return { state, events, ownsAfter };
}
