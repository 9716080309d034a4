import { given } from "#contracts/given.ts";
import type { User } from "#contracts/http/auth.ts";
import type { Account } from "./account.store.ts";

/** What an account says of itself, without its address. */
export type OwnWords = Pick<
  User,
  "first_name" | "last_name" | "phone" | "company" | "website" | "job_title" | "bio"
>;

/** An account as its owner sees it. */
export function toUser(account: Account, email: string, words: OwnWords): User {
  const { first_name, last_name, phone, company, website, job_title, bio } = words;
  return {
    id: account.id,
    first_name,
    last_name,
    email,
    ...given({ phone, company, website, job_title, bio }),
    role: account.role,
    confirmed: account.confirmed,
    two_factor: account.factorId !== undefined,
    created_at: account.createdAt,
  };
}
