import type { UserEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { RegistryCodec } from "#vault/sealing/registry-codec.ts";
import type { LeasedMail } from "./outbox.store.ts";

interface Deps {
  readonly store: EventStore;
  readonly keys: Pick<KeyStore, "get">;
  readonly codec: RegistryCodec;
  readonly links: OneTimeLinks;
  readonly publicUrl: string;
}

/**
 * Reads the recipient and the target of a sign-in link from the account's current history.
 * @param now a link that has expired by this time is not mailed.
 */
export async function readSignInLink(
  mail: LeasedMail,
  now: Date,
  { store, keys, codec, links, publicUrl }: Deps,
): Promise<
  | { readonly to: string; readonly url: string }
  | { readonly drop: "deleted" | "erased" | "superseded" }
> {
  const events: StoredEvent[] = [];
  for await (const event of store.readStream(streams.user(mail.ownerId))) events.push(event);
  const found = await keys.get(codec.subjectsOf(events));
  let state: AccountState | undefined;
  let asking: UserEvent | undefined;
  for (const event of events) {
    const opened = codec.openEvent(event, found) as UserEvent;
    if (event.revision === mail.revision) asking = opened;
    state = evolveAccount(state, opened);
  }
  if (!state) return { drop: "deleted" };
  if (!state.profile) return { drop: "erased" };
  const linkId =
    asking?.type === "DeviceConfirmationRequested" ? asking.data.link.link_id : undefined;
  const link = state.deviceConfirmations.find(({ link_id }) => link_id === linkId);
  if (!link || Date.parse(link.expires_at) <= now.getTime()) return { drop: "superseded" };
  const { link_id, expires_at: expiresAt } = link;
  const content = { aggregateId: mail.ownerId, linkId: link_id, expiresAt };
  const token = links.makeToken("sign-in", content);
  return { to: state.profile.email, url: `${publicUrl}/admin/sign-in-link/${token}` };
}
