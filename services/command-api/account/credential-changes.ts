import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { type Caller, newEnvelope, type Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type { CredentialChange, CredentialChangeStore } from "./credential-change.store.ts";

/** How long a change without an event is kept: longer than any command takes. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Changes credentials and says so in the log, one never without the other: the change is prepared,
 * its event appended, the change made. What a crash leaves prepared is made or dropped later; the
 * log decides which.
 */
export class CredentialChanges {
  readonly #handler: CommandHandler;
  readonly #store: CredentialChangeStore;

  constructor(deps: { handler: CommandHandler; store: CredentialChangeStore }) {
    this.#handler = deps.handler;
    this.#store = deps.store;
  }

  /** @returns undefined when nothing was changed. */
  async make(
    command: CredentialCommand,
    change: Omit<CredentialChange, "commandId" | "preparedAt">,
    caller: Caller,
  ): Promise<Outcome<AccountState | undefined> | undefined> {
    const envelope = newEnvelope(caller);
    await this.#store.prepare({ ...change, commandId: envelope.id, preparedAt: caller.now });
    const account = accountAggregate(change.accountId);
    const outcome = await this.#handler.execute(account, command, envelope);
    if (outcome.changed) {
      await this.#store.apply(envelope.id, outcome.revision, caller.now);
      return outcome;
    }
    await this.#store.drop(envelope.id);
    return undefined;
  }

  /** Makes the changes that wait and whose event stands: of one account, or of all. */
  async settle(now: string, accountId?: string): Promise<void> {
    for (const change of await this.#store.waiting(accountId)) {
      const stream = streams.user(change.accountId);
      const revision = await this.#handler.revisionOf(stream, change.commandId);
      if (revision !== undefined) await this.#store.apply(change.commandId, revision, now);
      // A younger one may be on its way to the log.
      else if (Date.parse(change.preparedAt) + KEPT_MS <= Date.parse(now))
        await this.#store.drop(change.commandId);
    }
  }
}
