import type { Pool } from "pg";
import { hashOfSecret, newSecret } from "../kernel/secrets.ts";

/** How long a challenge is valid. */
const CHALLENGE_MS = 5 * 60_000;

/** A sign-in whose password was right. */
export interface PendingSignIn {
  readonly accountId: string;
  /** Like `factorId`, as of when the password was verified. */
  readonly tokenVersion: number;
  readonly factorId: string;
}

/** Stores sign-ins that are waiting for a code. A challenge is a secret that works once. */
export class SignInChallengeStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Creates a challenge that works only in one browser.
   * @param device secret of its cookie; generated if absent, and returned.
   */
  async add(
    pending: PendingSignIn,
    device: string | undefined,
    nowMs: number,
  ): Promise<{ readonly challenge: string; readonly expiresAt: Date; readonly device: string }> {
    const [challenge, secret] = [newSecret(), device ?? newSecret()];
    const expiresAt = new Date(nowMs + CHALLENGE_MS);
    const { accountId, tokenVersion, factorId } = pending;
    await this.#pool.query(
      `insert into command.sign_in_challenge
         (hash, account_id, device_hash, token_version, factor_id, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [hashOfSecret(challenge), accountId, hashOfSecret(secret), tokenVersion, factorId, expiresAt],
    );
    return { challenge, expiresAt, device: secret };
  }

  /**
   * Returns the sign-in of a challenge; undefined if it is expired, unknown, or another browser's.
   * @param brought the secrets of the browser's cookie.
   */
  async find(
    challenge: string,
    brought: readonly string[],
    nowMs: number,
  ): Promise<(PendingSignIn & { readonly device: string }) | undefined> {
    const { rows } = await this.#pool.query<PendingSignIn & { readonly deviceHash: string }>(
      `select account_id as "accountId", device_hash as "deviceHash",
         token_version as "tokenVersion", factor_id as "factorId"
       from command.sign_in_challenge where hash = $1 and expires_at > $2`,
      [hashOfSecret(challenge), new Date(nowMs)],
    );
    const [row] = rows;
    const device = brought.find((secret) => hashOfSecret(secret) === row?.deviceHash);
    return row && device ? { ...row, device } : undefined;
  }

  /** @returns false if someone else completed the sign-in first. */
  async end(challenge: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "delete from command.sign_in_challenge where hash = $1",
      [hashOfSecret(challenge)],
    );
    return rowCount === 1;
  }

  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.sign_in_challenge where expires_at <= $1", [
      new Date(nowMs),
    ]);
  }
}
