import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { CredentialChanges } from "./credential-changes.ts";

/** Reads accounts as the log leaves them, whatever a crash left between a change and its event. */
export class AccountCredentials {
  readonly #deps: {
    readonly handler: CommandHandler;
    readonly accounts: AccountStore;
    readonly changes: CredentialChanges;
  };

  constructor(deps: {
    handler: CommandHandler;
    accounts: AccountStore;
    changes: CredentialChanges;
  }) {
    this.#deps = deps;
  }

  /**
   * The credentials of an account at a revision. They are consistent with it: changes up to this
   * revision that end sessions are applied, and later ones are not.
   * @param found the account as it was read before.
   */
  async at(accountId: string, found: Account | undefined, caller: Caller) {
    const { accounts, handler } = this.#deps;
    for (let before = found; ; ) {
      const revision = await handler.lastRevision(accountAggregate(accountId));
      const account = await this.settled(await accounts.byId(accountId), caller);
      if (account?.tokenVersion === before?.tokenVersion) return { account, revision };
      before = account;
    }
  }

  /** The account once the changes whose events are in the log are applied. */
  async settled(account: Account | undefined, caller: Caller): Promise<Account | undefined> {
    if (!account?.changing) return account;
    await this.#deps.changes.settle(caller.now, account.id);
    return this.#deps.accounts.byId(account.id);
  }
}
