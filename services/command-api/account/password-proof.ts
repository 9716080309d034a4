import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";
import { verifyPassword } from "#services/command-api/account/passwords.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { recordAttempt } from "../security/security.recorder.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { SessionStore } from "./session.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly guesses: PasswordGuesses;
  readonly blind: BlindIndexer;
}

/** Asks a signed-in account for its password again. */
export class PasswordProof {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A stolen session guesses no more than strangers do, and uses up none of their guesses: these are
   * counted by themselves, a hundred an hour for an account.
   * @param wrong what the refusal says, and of which field.
   * @throws {DomainError} `wrong_password`, `too_many_requests`
   */
  async check(
    account: Account,
    password: string,
    caller: Caller,
    wrong = { field: "currentPassword", message: "Your current password is incorrect." },
  ): Promise<void> {
    const { handler, guesses, blind } = this.#deps;
    const key = blind("password_proof", account.id);
    const guess = await guesses.count(key, Date.parse(caller.now));
    if (!guess)
      throw new DomainError(
        "too_many_requests",
        "Too many wrong passwords. Please try again in an hour.",
      );
    let isWrong = false;
    try {
      // Anybody can have an account with an address that is not confirmed.
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

interface ProofDeps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "byId">;
  readonly sessions: Pick<SessionStore, "prove">;
  readonly passwords: PasswordProof;
}

/** Remembers in which sessions the password was shown again; see `config.proof` of a route. */
export class SessionProofs {
  readonly #deps: ProofDeps;

  constructor(deps: ProofDeps) {
    this.#deps = deps;
  }

  /**
   * The log has the proof before it counts.
   * @returns the position of its event.
   * @throws {DomainError} `wrong_password`, `too_many_requests`; `invalid_token` for a session that
   *   is over.
   */
  async prove(password: string, caller: Caller): Promise<string> {
    const { accounts, handler, passwords, sessions } = this.#deps;
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
