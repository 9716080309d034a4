import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";

const HOUR_MS = 3_600_000;
/** How long the code of the second factor is waited for. */
const CHALLENGE_MS = 5 * 60_000;
/** Codes an hour that are compared for one account, for all unknown devices together. */
export const CODE_GUESSES = 10;

/** A sign-in whose password was right. */
export interface PendingSignIn {
  readonly accountId: string;
  /** As they were when the password was compared. */
  readonly tokenVersion: number;
  readonly factorId: string;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");
const newSecret = () => randomBytes(32).toString("base64url");

/** Sign-ins that wait for a code, and codes that strangers tried. A challenge is a secret, so that it works once. */
export class SignInChallengeStore {
  readonly #pool: Pool;
  readonly #limits: "on" | "off";

  /** @param limits `off` is for load tests: no guess is refused. */
  constructor(pool: Pool, limits: "on" | "off") {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** @param device secret of the cookie; a new one when absent. @returns it and a challenge for that browser. */
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
      [hashOf(challenge), accountId, hashOf(secret), tokenVersion, factorId, expiresAt],
    );
    return { challenge, expiresAt, device: secret };
  }

  /** What a challenge stands for; undefined when over, unknown, or another browser's. @param brought of the cookie. */
  async find(
    challenge: string,
    brought: readonly string[],
    nowMs: number,
  ): Promise<(PendingSignIn & { readonly device: string }) | undefined> {
    const { rows } = await this.#pool.query<{
      account_id: string;
      device_hash: string;
      token_version: number;
      factor_id: string;
    }>(
      `select account_id, device_hash, token_version, factor_id from command.sign_in_challenge
       where hash = $1 and expires_at > $2`,
      [hashOf(challenge), new Date(nowMs)],
    );
    const [row] = rows;
    const device = brought.find((secret) => hashOf(secret) === row?.device_hash);
    if (!row || !device) return undefined;
    const { account_id: accountId, token_version: tokenVersion, factor_id: factorId } = row;
    return { accountId, tokenVersion, factorId, device };
  }

  /** @returns false when somebody else ended the sign-in first. */
  async end(challenge: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "delete from command.sign_in_challenge where hash = $1",
      [hashOf(challenge)],
    );
    return rowCount === 1;
  }

  /** Counts a code of an unknown device. @returns false when there were too many in this hour. */
  async countGuess(accountId: string, nowMs: number): Promise<boolean> {
    const { rows } = await this.#pool.query<{ guesses: number }>(
      `insert into command.code_guess as g (account_id, since, guesses) values ($1, $2, 1)
       on conflict (account_id) do update set
         guesses = case when g.since > $3 then least(g.guesses + 1, $4) else 1 end,
         since = case when g.since > $3 then g.since else excluded.since end
       returning guesses`,
      [accountId, new Date(nowMs), new Date(nowMs - HOUR_MS), CODE_GUESSES + 1],
    );
    return this.#limits === "off" || (rows[0]?.guesses ?? 0) <= CODE_GUESSES;
  }

  /** Takes back a code that was not found wrong. */
  async giveBack(accountId: string): Promise<void> {
    await this.#pool.query(
      "update command.code_guess set guesses = greatest(guesses - 1, 0) where account_id = $1",
      [accountId],
    );
  }

  /** Forgets what is over. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.sign_in_challenge where expires_at <= $1", [
      new Date(nowMs),
    ]);
    await this.#pool.query("delete from command.code_guess where since <= $1", [
      new Date(nowMs - HOUR_MS),
    ]);
  }
}
