import type { Pool } from "pg";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";

const HOUR_MS = 3_600_000;
/** How long a new factor can be confirmed with its first code. */
const SETUP_MS = HOUR_MS;
/** How long an unconfirmed factor is kept: longer than any confirmation takes. */
const CACHE_MS = 24 * HOUR_MS;

/** A second factor with its secret decrypted. */
export interface SecondFactorSecret {
  readonly factorId: string;
  /** In base32. */
  readonly secret: string;
}

export interface RecoveryCode {
  readonly codesId: string;
  /** Its number in the set, from 1. */
  readonly code: number;
}

interface Row {
  factor_id: string;
  account_id: string;
  secret_sealed: Sealed;
}

const place = (rowId: string) => ({
  table: "command.second_factor",
  column: "secret_sealed",
  rowId,
});

/** Stores secrets of authenticators, sealed with the account's key, and hashes of recovery codes. */
export class SecondFactorStore {
  readonly #pool: Pool;
  readonly #keys: KeyStore;

  constructor(pool: Pool, keys: KeyStore) {
    this.#pool = pool;
    this.#keys = keys;
  }

  /** Stores a factor that is not in force yet. */
  async setUp(
    accountId: string,
    { factorId, secret }: SecondFactorSecret,
    nowMs: number,
  ): Promise<void> {
    const sealed = sealColumn(await this.#key(accountId), secret, {
      ...place(factorId),
      key: subjects.account(accountId),
    });
    await this.#pool.query(
      `insert into command.second_factor (factor_id, account_id, secret_sealed, created_at)
       values ($1, $2, $3, $4)`,
      [factorId, accountId, JSON.stringify(sealed), new Date(nowMs)],
    );
  }

  /** Returns the most recent factor that is not in force yet. */
  async waiting(accountId: string, nowMs: number): Promise<SecondFactorSecret | undefined> {
    return this.#open(
      `select f.factor_id, f.account_id, f.secret_sealed
       from command.second_factor f join command.account a on a.id = f.account_id
       where f.account_id = $1 and f.created_at > $2 and f.factor_id is distinct from a.factor_id
       order by f.created_at desc, f.factor_id limit 1`,
      [accountId, new Date(nowMs - SETUP_MS)],
    );
  }

  async byId(factorId: string): Promise<SecondFactorSecret | undefined> {
    return this.#open(
      "select factor_id, account_id, secret_sealed from command.second_factor where factor_id = $1",
      [factorId],
    );
  }

  /** @returns whether this time step is later than any used before. */
  async spendStep(factorId: string, step: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "update command.second_factor set last_step = $2 where factor_id = $1 and last_step < $2",
      [factorId, step],
    );
    return rowCount === 1;
  }

  /** Stores a set of codes; the account's events determine when it is in force. */
  async addCodes(accountId: string, codesId: string, hashes: readonly string[]): Promise<void> {
    await this.#pool.query(
      `insert into command.recovery_code (codes_id, code, account_id, hash)
       select $1, code, $2, hash from unnest($3::text[]) with ordinality as set (hash, code)`,
      [codesId, accountId, hashes],
    );
  }

  /** Finds a code in any of the account's sets. The decider checks whether the set is in force. */
  async findCode(accountId: string, hash: string): Promise<RecoveryCode | undefined> {
    const { rows } = await this.#pool.query<RecoveryCode>(
      `select codes_id as "codesId", code from command.recovery_code
       where account_id = $1 and hash = $2 limit 1`,
      [accountId, hash],
    );
    return rows[0];
  }

  async dropCodes(codesId: string): Promise<void> {
    await this.#pool.query("delete from command.recovery_code where codes_id = $1", [codesId]);
  }

  /** Deletes factors that are not in force and can no longer be confirmed. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query(
      `delete from command.second_factor f
       where f.created_at <= $1
         and not exists (select from command.account a where a.factor_id = f.factor_id)`,
      [new Date(nowMs - CACHE_MS)],
    );
  }

  async #open(text: string, values: unknown[]): Promise<SecondFactorSecret | undefined> {
    const { rows } = await this.#pool.query<Row>(text, values);
    const [row] = rows;
    if (!row) return undefined;
    const { factor_id: factorId, account_id: accountId, secret_sealed: sealed } = row;
    const secret = openColumn(await this.#key(accountId), sealed, place(factorId));
    return { factorId, secret: String(secret) };
  }

  async #key(accountId: string): Promise<Buffer> {
    const subject = subjects.account(accountId);
    const found = (await this.#keys.get([subject])).get(subject);
    if (found?.state !== "present") throw new Error(`the key ${subject} is ${found?.state}`);
    return found.key;
  }
}
