import { DomainError } from "#contracts/domain-error.ts";
import { PHONE_NEEDS_ACCOUNT } from "#contracts/http/search-words.ts";
import { type Actor, isForStaff } from "#http/actor.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/**
 * Lets confirmed accounts and staff search by phone number. Anybody can make an account with any
 * address, and could try numbers without being known. The refusal comes before the search, so it says
 * nothing about the number.
 * @throws {DomainError} `confirmed_account_required`
 */
export async function assertMaySearchByPhone(
  db: ReadModelDatabase,
  { id, role }: Actor,
): Promise<void> {
  if (isForStaff([role])) return;
  if (role === "user" && (await isConfirmed(db, id))) return;
  throw new DomainError("confirmed_account_required", PHONE_NEEDS_ACCOUNT);
}

async function isConfirmed(db: ReadModelDatabase, id: string): Promise<boolean> {
  const account = await db
    .selectFrom("accounts.account")
    .select("confirmed")
    .where("id", "=", id)
    .where("status", "=", "active")
    .executeTakeFirst();
  return account?.confirmed ?? false;
}
