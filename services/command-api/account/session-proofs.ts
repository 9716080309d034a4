import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { AccountStore } from "./account.store.ts";
import type { PasswordProof } from "./password-proof.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { SessionStore } from "./session.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "byId">;
  readonly sessions: Pick<SessionStore, "prove">;
  readonly passwords: PasswordProof;
}

/** Remembers in which sessions the password was shown again; see `config.proof` of a route. */
export class SessionProofs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
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
