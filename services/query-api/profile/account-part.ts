import { streams } from "#contracts/events/index.ts";
import type { AccountProfile } from "#contracts/events/user/account-state.ts";
import type { SealedAccountPart } from "#read-model/tables/account.ts";
import { type KeyLookups, registryCodec } from "#vault/sealing/event-codec.ts";

/** What a part of an account holds; empty without a part, and once the key is destroyed. */
export function openPart(
  accountId: string,
  part: SealedAccountPart | null,
  keys: KeyLookups,
): Partial<AccountProfile> {
  if (!part) return {};
  const { event_id: id, event_type: type, schema_version: schemaVersion, account } = part;
  const sealed = { id, stream: streams.user(accountId), type, data: { account: { ...account } } };
  const { data } = registryCodec.openEvent({ ...sealed, metadata: { schemaVersion } }, keys);
  return (data as { readonly account?: Partial<AccountProfile> | null }).account ?? {};
}
