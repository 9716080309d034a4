import { DomainError } from "#contracts/domain-error.ts";
import { verifyPassword } from "#services/command-api/account/passwords.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { recordAttempt } from "../security/security.recorder.ts";
import type { Account } from "./account.store.ts";
import type { PasswordGuesses } from "./password-guesses.ts";

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
