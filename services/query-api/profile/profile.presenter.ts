import { given } from "#contracts/given.ts";
import type { Role, User } from "#contracts/http/auth.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { openPart, type ProfileRow } from "./profile.queries.ts";

/**
 * The account as its owner sees it. Name and address are empty once its key is destroyed.
 * @param role the present one.
 * @param now another address is shown as long as its link works.
 * @throws {KeyMissing} @throws {SealBroken}
 */
export async function presentProfile(
  row: ProfileRow,
  role: Role,
  keys: KeyStore,
  now: Date,
): Promise<User> {
  const parts = [row.address, row.profile, row.wanted].filter((part) => part !== null);
  const found = await keys.get([...new Set(parts.map(({ account }) => account.key))]);
  const { email = "" } = openPart(row.id, row.address, found);
  const profile = openPart(row.id, row.profile, found);
  const { first_name = "", last_name = "", phone, company, website, job_title, bio } = profile;
  return {
    id: row.id,
    first_name,
    last_name,
    email,
    ...given({ phone, company, website, job_title, bio }),
    role,
    confirmed: row.confirmed,
    two_factor: row.two_factor,
    ...given({ recovery_codes_left: row.recovery_codes_left ?? undefined }),
    preferences: row.notifications,
    created_at: row.created_at.toISOString(),
    ...given({ last_login: row.last_sign_in_at?.toISOString() }),
    reports_count: row.reports_count,
    in_good_standing: row.in_good_standing,
    ...given({ email_change: wantedOf(row, found, now) }),
  };
}

function wantedOf({ id, wanted, wanted_until: until }: ProfileRow, keys: KeyLookups, now: Date) {
  const { email } = openPart(id, wanted, keys);
  if (!email || !until || until <= now) return undefined;
  return { email, expires_at: until.toISOString() };
}
