import type { Pool } from "pg";
import type { AccountStatus } from "#command-tables/account.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountProfile, AccountState } from "#contracts/events/user/account-state.ts";
import { type Role, User } from "#contracts/http/account.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { EventJson } from "#event-store/port.ts";
import { shown } from "#http/envelope.ts";
import { normaliseEmail } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";
import { type StoredAddress, statusColumns } from "./credential.store.ts";

export interface Account {
  readonly id: string;
  readonly role: Role;
  readonly status: AccountStatus;
  /** Whether its owner has confirmed the address. */
  readonly confirmed: boolean;
  readonly factorId: string | null;
  readonly tokenVersion: number;
  readonly passwordHash: string;
  readonly createdAt: Date;
  readonly emailSealed: Sealed;
  readonly profileSealed: Sealed | null;
}

/** An unconfirmed account; `createdAt` keeps microseconds for keyset paging. */
export interface Unconfirmed {
  readonly id: string;
  readonly createdAt: string;
}

/** Blind index of an account's address. Nothing else computes it. */
export function blindEmail(blind: BlindIndexer, email: string): string {
  return blind("account_email", normaliseEmail(email) ?? email.toLowerCase());
}

const PLACE = { table: "command.account" };
const COLUMNS = `id, role, status, confirmed, factor_id as "factorId",
  token_version as "tokenVersion", password_hash as "passwordHash", created_at as "createdAt",
  email_sealed as "emailSealed", profile_sealed as "profileSealed"`;

export class AccountStore {
  readonly #pool: Pool;
  readonly #keys: KeyStore;
  readonly #blind: BlindIndexer;

  constructor(pool: Pool, keys: KeyStore, blind: BlindIndexer) {
    this.#pool = pool;
    this.#keys = keys;
    this.#blind = blind;
  }

  /** Seals and indexes an address for the account's rows. */
  async stored(accountId: string, email: string): Promise<StoredAddress> {
    const sealed = await this.#seal(accountId, "email_sealed", email);
    if (!sealed) throw new Error(`the key of the account ${accountId} is destroyed`);
    return { sealed, blind: blindEmail(this.#blind, email) };
  }

  /** Seals the account's profile, without the address, for its row. */
  storedProfile(accountId: string, { email: _, ...words }: AccountProfile): Promise<Sealed | null> {
    return this.#seal(accountId, "profile_sealed", words);
  }

  /** Deletes the account and everything that belongs to it: sessions, tokens, and events not yet in the log. */
  async remove(id: string): Promise<void> {
    await this.#pool.query("delete from command.account where id = $1", [id]);
    await this.#pool.query("delete from command.account_stream where account_id = $1", [id]);
  }

  /**
   * Returns unconfirmed accounts created before `before`, oldest first.
   * @param invitedBefore the same bound for accounts invited by staff.
   * @param after the last one of the previous page.
   */
  async unconfirmedBefore(
    before: Date,
    invitedBefore: Date,
    limit: number,
    after?: Unconfirmed,
  ): Promise<readonly Unconfirmed[]> {
    const { rows } = await this.#pool.query<Unconfirmed>(
      `select id, created_at::text as "createdAt" from command.account
       where not confirmed and (created_at < $1 or (created_at < $5 and password_hash = ''))
         and ($3::timestamptz is null or (created_at, id) > ($3, $4::uuid))
       order by account.created_at, id limit $2`,
      [before, limit, after?.createdAt ?? null, after?.id ?? null, invitedBefore],
    );
    return rows;
  }

  /** Returns the IDs of closed accounts in ID order. @param after the last one of the previous page. */
  async closed(limit: number, after?: string): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from command.account
       where status = 'closed' and ($2::uuid is null or id > $2) order by id limit $1`,
      [limit, after ?? null],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Sets role, ban and closing as the log has them, and voids the account's tokens. No-op if they match or the row
   * has a newer change.
   */
  async align(
    id: string,
    state: Pick<AccountState, "role" | "closed" | "banned" | "revision">,
  ): Promise<void> {
    await this.#pool.query(
      `update command.account set role = $2, status = $3, banned_until = $4,
         token_version = token_version + 1
       where id = $1 and (role, status, banned_until) is distinct from ($2, $3, $4::timestamptz)
         and not exists (select from command.credential_outbox
           where stream = $6 and (revision is null or revision > $5))`,
      [id, ...statusColumns(state), state.revision, streams.user(id)],
    );
  }

  /** Returns the IDs of accounts whose ban expired before `now`, oldest first. */
  async expiredBans(now: Date, limit: number): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from command.account where banned_until <= $1
       order by banned_until limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the IDs of the admins who can sign in, oldest first. */
  async activeAdmins(): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from command.account where role = 'admin' and status = 'active'
       order by created_at, id`,
    );
    return rows.map(({ id }) => id);
  }

  byEmail(email: string): Promise<Account | undefined> {
    return this.#first("email_blind = $1", [blindEmail(this.#blind, email)]);
  }

  byId(id: string): Promise<Account | undefined> {
    return this.#first("id = $1", [id]);
  }

  /** The account's address in plain text, for its owner. */
  async email(account: Account): Promise<string> {
    const key = await this.#key(account.id);
    if (!key) throw new Error(`the key of the account ${account.id} is destroyed`);
    return openEmail(key, account);
  }

  /** The account as its owner sees it; undefined once its key is destroyed. */
  async present(account: Account): Promise<User | undefined> {
    const key = await this.#key(account.id);
    if (!key || !account.profileSealed) return undefined;
    const place = { ...PLACE, column: "profile_sealed", rowId: account.id };
    const words = openColumn(key, account.profileSealed, place) as ProfileFields;
    return toUser(account, openEmail(key, account), words);
  }

  async #key(accountId: string): Promise<Buffer | undefined> {
    const key = subjects.account(accountId);
    const found = (await this.#keys.get([key])).get(key);
    if (found?.state === "present") return found.key;
    if (found?.state === "destroyed") return undefined;
    throw new Error(`the key ${key} is ${found?.state}`);
  }

  async #seal(rowId: string, column: string, value: EventJson): Promise<Sealed | null> {
    const key = await this.#key(rowId);
    const place = { ...PLACE, column, rowId, key: subjects.account(rowId) };
    return key ? sealColumn(key, value, place) : null;
  }

  firstAdmin(): Promise<Account | undefined> {
    return this.#first("role = 'admin' order by status = 'active' desc, created_at, id limit 1");
  }

  async #first(where: string, values: readonly string[] = []): Promise<Account | undefined> {
    const { rows } = await this.#pool.query<Account>(
      `select ${COLUMNS} from command.account where ${where}`,
      [...values],
    );
    return rows[0];
  }
}

function openEmail(key: Buffer, { id: rowId, emailSealed }: Account): string {
  return openColumn(key, emailSealed, { ...PLACE, column: "email_sealed", rowId }) as string;
}

/** An account's profile without its address. */
export type ProfileFields = Pick<
  User,
  "first_name" | "last_name" | "phone" | "company" | "website" | "job_title" | "bio"
>;

/** An account as its owner sees it. */
export function toUser(account: Account, email: string, words: ProfileFields): User {
  const { factorId, createdAt: created_at } = account;
  return shown(User, { ...account, ...words, email, two_factor: factorId !== null, created_at });
}
