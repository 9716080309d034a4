import type { Pool } from "pg";

const HOUR_MS = 3_600_000;
/** Passwords an hour that are compared for one address, for all unknown devices together. */
export const GUESSES = 100;

/** A guess that was counted. */
export interface Guess {
  readonly emailBlind: string;
  readonly since: Date;
}

/**
 * Counts the passwords that unknown devices try for one address. The counts are in the database:
 * all processes share them, a restart forgets none, and tries for other addresses push none out.
 */
export class PasswordGuesses {
  readonly #pool: Pool;
  readonly #limits: "on" | "off";

  /** @param limits `off` is for load tests: no guess is refused. */
  constructor(pool: Pool, limits: "on" | "off") {
    this.#pool = pool;
    this.#limits = limits;
  }

  /**
   * Counts a guess; the work is the same for an address without an account.
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
   * Takes a guess back whose password was not found wrong. The row of the last one goes: there are
   * no more rows than passwords were compared since the sweep before the last one.
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

  /** Forgets counts whose hour is over. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.password_guess where since <= $1", [
      new Date(nowMs - HOUR_MS),
    ]);
  }
}
