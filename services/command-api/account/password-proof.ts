import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { recordAttempt } from "../security/security.recorder.ts";
import type { Account } from "./account.store.ts";
import { verifyPassword } from "./passwords.ts";
import { sessionAggregate } from "./session.aggregate.ts";

const HOUR_MS = 3_600_000;
/** Maximum number of passwords compared per address and hour, for all unknown devices together. */
export const GUESSES = 100;

export interface Guess {
  readonly emailBlind: string;
  readonly since: Date;
}

/** Counts the passwords and codes that unknown devices try, in the database shared by all processes. */
export class PasswordGuesses {
  readonly #pool: Pool;
  readonly #limits: "on" | "off";

  /** @param limits `off` allows every guess, for load tests. */
  constructor(pool: Pool, limits: "on" | "off") {
    this.#pool = pool;
    this.#limits = limits;
  }

  /**
   * Counts a guess, with the same work whether or not there is an account.
   * @returns undefined if there were too many within an hour.
   */
  async count(emailBlind: string, nowMs: number, most = GUESSES): Promise<Guess | undefined> {
    const { rows } = await this.#pool.query<{ since: Date; guesses: number }>(
      `insert into command.password_guess as g (email_blind, since, guesses) values ($1, $2, 1)
       on conflict (email_blind) do update set
         guesses = case when g.since > $3 then least(g.guesses + 1, $4) else 1 end,
         since = case when g.since > $3 then g.since else excluded.since end
       returning since, guesses`,
      [emailBlind, new Date(nowMs), new Date(nowMs - HOUR_MS), most + 1],
    );
    const [row] = rows;
    if (!row || (this.#limits === "on" && row.guesses > most)) return undefined;
    return { emailBlind, since: row.since };
  }

  /** Uncounts a guess that was not wrong. Deletes the row when none is left. */
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

  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.password_guess where since <= $1", [
      new Date(nowMs - HOUR_MS),
    ]);
  }
}

/** Verifies a signed-in account's password again. */
export class PasswordProof extends Service<Pick<Dependencies, "handler" | "guesses" | "blind">> {
  /**
   * Checks the password. A hijacked session gets no more guesses than strangers and uses up none of theirs: these
   * guesses are counted separately, a hundred an hour per account.
   * @param wrong message and field of the refusal.
   * @throws {DomainError} `wrong_password`, `too_many_requests`
   */
  async check(
    account: Account,
    password: string,
    caller: Caller,
    wrong = { field: "currentPassword", message: "Your current password is incorrect." },
  ): Promise<void> {
    const { handler, guesses, blind } = this.deps;
    const key = blind("password_proof", account.id);
    const guess = await guesses.count(key, Date.parse(caller.now));
    if (!guess)
      throw new DomainError(
        "too_many_requests",
        "Too many wrong passwords. Please try again in an hour.",
      );
    let isWrong = false;
    try {
      // Anyone can have an account with an unconfirmed address.
      const by = account.confirmed ? "known" : "stranger";
      isWrong = !(await verifyPassword(account.passwordHash || undefined, password, by));
    } finally {
      if (!isWrong) await guesses.giveBack(guess).catch(() => undefined);
    }
    if (!isWrong) return;
    const refused = { type: "ProvePassword", accountId: account.id } as const;
    await recordAttempt(handler, refused, caller);
    throw new DomainError("wrong_password", wrong.message, { [wrong.field]: wrong.message });
  }
}

type ProofDeps = Pick<Dependencies, "handler" | "accounts" | "sessions"> & {
  readonly passwords: PasswordProof;
};

/** Remembers in which sessions the password was verified again; see `config.proof` of a route. */
export class SessionProofs extends Service<ProofDeps> {
  /** @returns the event's position. @throws {DomainError} `wrong_password`, `too_many_requests`, `invalid_token` */
  async prove(password: string, caller: Caller): Promise<string> {
    const { accounts, handler, passwords, sessions } = this.deps;
    const { id: accountId, sessionId = "" } = caller.actor;
    const account = await accounts.byId(accountId);
    if (!account) throw new DomainError("invalid_token", messages.invalid_token);
    await passwords.check(account, password, caller);
    const session = sessionAggregate(sessionId, accountId);
    const proved = await handler.execute(session, { type: "ProvePassword" }, newEnvelope(caller));
    if (!proved.changed) throw new DomainError("invalid_token", messages.invalid_token);
    await sessions.prove(sessionId, Date.parse(caller.now));
    return proved.position;
  }
}
