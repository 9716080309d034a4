import type { Pool } from "pg";

const HOUR_MS = 3_600_000;
/** How many passwords an hour are compared for one address, for all unknown devices together. */
export const GUESSES = 100;

/** A guess that was counted. */
export interface Guess {
  readonly emailBlind: string;
  readonly since: Date;
}

/**
 * Counts the passwords that unknown devices try for an address. The counts are in the database: all
 * processes share them, they survive restarts, and attempts for other addresses cannot displace
 * them.
 */
export class PasswordGuesses {
  readonly #pool: Pool;
  readonly #limits: "on" | "off";

  /** @param limits `off` refuses no guess, for load tests. */
  constructor(pool: Pool, limits: "on" | "off") {
    this.#pool = pool;
    this.#limits = limits;
  }

  /**
   * Counts a guess. The work is the same for an address without an account.
   * @returns undefined when there were too many within an hour of the first.
   */
  async count(emailBlind: string, nowMs: number): Promise<Guess | undefined> {
    const { rows } = await this.#pool.query<{ since: Date; guesses: number }>(
      `insert into command.password_guess as g (email_blind, since, guesses) values ($1, $2, 1)
       on conflict (email_blind) do update set
         guesses = case when g.since > $3 then least(g.guesses + 1, $4) else 1 end,
         since = case when g.since > $3 then g.since else excluded.since end
       returning since, guesses`,
      [emailBlind, new Date(nowMs), new Date(nowMs - HOUR_MS), GUESSES + 1],
    );
    const [row] = rows;
    if (!row || (this.#limits === "on" && row.guesses > GUESSES)) return undefined;
    return { emailBlind, since: row.since };
  }

  /**
   * Undoes the count of a guess whose password was not found wrong. When no guess is left, the row
   * is deleted. So the number of rows is limited by how many passwords were compared since the
   * second-last sweep.
   */
  async giveBack({ emailBlind, since }: Guess): Promise<void> {
    const { rowCount } = await this.#pool.query(
      "delete from command.password_guess where email_blind = $1 and since = $2 and guesses <= 1",
      [emailBlind, since],
    );
    if (rowCount === 0)
      await this.#pool.query(
        `update command.password_guess set guesses = guesses - 1
         where email_blind = $1 and since = $2 and guesses > 1`,
        [emailBlind, since],
      );
  }

  /** Removes counts whose hour is over. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.password_guess where since <= $1", [
      new Date(nowMs - HOUR_MS),
    ]);
  }
}
