import type { ExportedPlace } from "#contracts/http/account-export.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { describeUserAgent, maskIp } from "#runtime/net/client-address.ts";
import { type KeyLookups, openClient } from "#vault/sealing/event-codec.ts";
import type { UndoneChange } from "../account/account.eraser.ts";

/** The account whose places are shown, and the periods when someone else may have used it. */
export interface PlaceOwner {
  readonly id: string;
  readonly undone: readonly UndoneChange[];
}

/** Options for `openStream`: the key that decrypts where the account acted from. */
export function ownKey({ id }: PlaceOwner) {
  return { also: [subjects.account(id)] };
}

/** Where the account acted from; empty for anyone else's events. */
export function placeOf(
  { id, stream, type, metadata, position }: StoredEvent,
  owner: PlaceOwner,
  keys: KeyLookups,
): ExportedPlace {
  const { actor, client, schemaVersion } = metadata;
  if (actor.id !== owner.id || client === undefined) return {};
  const sealed = { id, stream, type, data: {}, metadata: { client, schemaVersion } };
  const { ip, user_agent } = openClient(sealed, keys) ?? {};
  const isForeign = owner.undone.some(({ from, to }) => from < position && position < to);
  return omitUndefined({
    ip: typeof ip === "string" && !isForeign ? ip : undefined,
    network: typeof ip === "string" && isForeign ? maskIp(ip) : undefined,
    device: typeof user_agent === "string" ? describeUserAgent(user_agent) : undefined,
  });
}
