import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Migration } from "#kit/db/migrate.ts";

export const refreshTokenMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-refresh-token",
    sql: `
      create table refresh_token (
        -- SHA-256 of the token, which is 256 random bits
        hash text primary key,
        family uuid not null,
        account_id uuid not null references account (id) on delete cascade,
        token_version integer not null,
        expires_at timestamptz not null,
        used_at timestamptz,
        revoked_at timestamptz
      );
      create index refresh_token_family on refresh_token (family);
      create index refresh_token_account on refresh_token (account_id);
      create index refresh_token_expires_at on refresh_token (expires_at);
    `,
  },
];

/** How long a session lives without being used. */
const TTL_MS = 14 * 24 * 3_600_000;
/** How long a used token still works, so that two tabs may race. */
const RACE_MS = 10_000;

export type Exchange =
  | {
      readonly state: "exchanged";
      readonly accountId: string;
      readonly tokenVersion: number;
      readonly token: string;
    }
  /** An old token came back: somebody else has it. Its family is revoked. */
  | { readonly state: "reused"; readonly accountId: string; readonly family: string }
  | { readonly state: "refused" };

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** Refresh tokens: single use, hashed, in families that fall together. */
export class RefreshTokenStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Starts a family, named by a random UUID, with its first token. */
  async issue(
    family: string,
    accountId: string,
    tokenVersion: number,
    nowMs: number,
  ): Promise<string> {
    return this.#insert(family, accountId, tokenVersion, nowMs);
  }

  /** Trades a token for the next of its family. */
  async exchange(token: string, nowMs: number): Promise<Exchange> {
    const hash = hashOf(token);
    const now = new Date(nowMs);
    // One statement marks the token used, so that of two requests at once one sees the other.
    const { rows } = await this.#pool.query<{
      family: string;
      account_id: string;
      token_version: number;
      expires_at: Date;
      used_at: Date | null;
      revoked_at: Date | null;
    }>(
      `with old as (select * from command.refresh_token where hash = $1 for update)
       update command.refresh_token t set used_at = coalesce(t.used_at, $2)
       from old where t.hash = old.hash
       returning old.family, old.account_id, old.token_version, old.expires_at, old.used_at,
         old.revoked_at`,
      [hash, now],
    );
    const row = rows[0];
    if (!row || row.revoked_at || row.expires_at.getTime() <= nowMs) return { state: "refused" };
    if (row.used_at && nowMs - row.used_at.getTime() > RACE_MS) {
      await this.#revokeFamily(row.family, now);
      return { state: "reused", accountId: row.account_id, family: row.family };
    }
    const next = await this.#insert(row.family, row.account_id, row.token_version, nowMs);
    return {
      state: "exchanged",
      accountId: row.account_id,
      tokenVersion: row.token_version,
      token: next,
    };
  }

  /**
   * Ends the token's family; an unknown token ends nothing.
   * @returns the family.
   */
  async revoke(token: string, accountId: string, nowMs: number): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ family: string }>(
      `with mine as (
         select family from command.refresh_token where hash = $1 and account_id = $2
       ), ended as (
         update command.refresh_token set revoked_at = $3
         where revoked_at is null and family in (select family from mine)
       )
       select family from mine`,
      [hashOf(token), accountId, new Date(nowMs)],
    );
    return rows[0]?.family;
  }

  async revokeAll(accountId: string, nowMs: number): Promise<void> {
    await this.#pool.query(
      "update command.refresh_token set revoked_at = $2 where account_id = $1 and revoked_at is null",
      [accountId, new Date(nowMs)],
    );
  }

  /** Removes what no exchange can use any more. */
  async sweep(nowMs: number): Promise<number> {
    const { rowCount } = await this.#pool.query(
      "delete from command.refresh_token where expires_at < $1",
      [new Date(nowMs)],
    );
    return rowCount ?? 0;
  }

  async #revokeFamily(family: string, now: Date): Promise<void> {
    await this.#pool.query(
      "update command.refresh_token set revoked_at = $2 where family = $1 and revoked_at is null",
      [family, now],
    );
  }

  async #insert(
    family: string,
    accountId: string,
    tokenVersion: number,
    nowMs: number,
  ): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    await this.#pool.query(
      `insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
       select $1, $2, $3, $4, $5 where not exists
         (select from command.refresh_token where family = $2 and revoked_at is not null)`,
      [hashOf(token), family, accountId, tokenVersion, new Date(nowMs + TTL_MS)],
    );
    return token;
  }
}
