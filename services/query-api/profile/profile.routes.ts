import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { PreferencesReply, ProfileReply, type Role, User } from "#contracts/http/account.ts";
import { SIGNED_IN } from "#http/actor.ts";
import { shown, succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findPreferences, findProfile, openPart, type ProfileRow } from "./profile.queries.ts";

/** The signed-in account, as its owner sees it. */
export function profileRoutes(app: ServiceInstance, { db, keys, freshness }: ReadSide): void {
  const read = reads(SIGNED_IN, "accounts", freshness.waitFor(["accounts"], "one"));
  app.get(
    "/prod/api/auth/profile",
    read({
      summary: "Who is signed in",
      reply: ProfileReply,
      preHandler: freshness.waitFor(["accounts", "reports"], "one"),
    }),
    async ({ actor }, reply) => {
      const now = new Date();
      const account = await findProfile(db, actor.id, now);
      // Every signed-in caller has an account: the projector has not processed it yet.
      if (!account) throw new DomainError("unavailable", messages.unavailable);
      await freshness.markParked(reply, ["accounts", "reports"], streams.user(actor.id));
      return succeed({ user: await presentProfile(account, actor.role as Role, keys, now) });
    },
  );

  app.get(
    "/prod/api/auth/preferences",
    read({
      summary: "Which emails you get",
      reply: PreferencesReply,
    }),
    async ({ actor }, reply) => {
      const account = await findPreferences(db, actor.id);
      if (!account) throw new DomainError("unavailable", messages.unavailable);
      await freshness.markParked(reply, ["accounts"], streams.user(actor.id));
      return succeed(account);
    },
  );
}

/** Returns the account as its owner sees it, empty once erased. @throws {KeyMissing} @throws {SealBroken} */
async function presentProfile(
  row: ProfileRow,
  role: Role,
  keys: KeyStore,
  now: Date,
): Promise<User> {
  const parts = [row.address, row.profile, row.wanted].filter((part) => part !== null);
  const found = await keys.get([...new Set(parts.map(({ account }) => account.key))]);
  const { email = "" } = openPart(row.id, row.address, found);
  const profile = openPart(row.id, row.profile, found);
  return shown(User, {
    first_name: "",
    last_name: "",
    ...row,
    ...profile,
    email,
    role,
    preferences: row.notifications,
    last_login: row.last_sign_in_at,
    email_change: wantedOf(row, found, now),
  });
}

function wantedOf({ id, wanted, wanted_until: until }: ProfileRow, keys: KeyLookups, now: Date) {
  const { email } = openPart(id, wanted, keys);
  if (!email || !until || until <= now) return undefined;
  return { email, expires_at: until.toISOString() };
}
