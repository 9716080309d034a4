import bcrypt from "bcryptjs";
import { parse, stringify } from "yaml";

/** Few, as the passwords are 24 random bytes, which nobody guesses. */
const ROUNDS = 8;

/**
 * OpenSearch's list of users (`internal_users.yml`) with hashes of their passwords. What each may do is in
 * `deploy/stores/opensearch/roles.yml`.
 * @param passwords by the user's name.
 * @param present an earlier list: a hash in it that fits the password is kept.
 */
export function searchUsers(passwords: Readonly<Record<string, string>>, present = ""): string {
  const former = (parse(present) ?? {}) as Record<string, { readonly hash?: string } | undefined>;
  const users = Object.entries(passwords).map(([user, password]) => {
    const kept = former[user]?.hash;
    const fits = kept !== undefined && bcrypt.compareSync(password, kept);
    return [user, { hash: fits ? kept : bcrypt.hashSync(password, ROUNDS) }];
  });
  const meta = { type: "internalusers", config_version: 2 };
  return stringify({ _meta: meta, ...Object.fromEntries(users) }).trim();
}
