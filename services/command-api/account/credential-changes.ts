import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { type Caller, newEnvelope, type Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type { CredentialChange, CredentialChangeStore } from "./credential-change.store.ts";

/** How long a change without an event is kept. This is longer than any command takes. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Changes credentials and records it in the log, never one without the other. The change is
 * prepared, its event appended, then the change applied. After a crash, the log decides whether a
 * prepared change is applied or dropped.
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

  /** Applies waiting changes whose events are in the log, for one account or for all. */
  async settle(now: string, accountId?: string): Promise<void> {
    for (const change of await this.#store.waiting(accountId)) {
      const stream = streams.user(change.accountId);
      const revision = await this.#handler.revisionOf(stream, change.commandId);
      if (revision !== undefined) await this.#store.apply(change.commandId, revision, now);
      // The event of a more recent change may still be on its way to the log.
      else if (Date.parse(change.preparedAt) + KEPT_MS <= Date.parse(now))
        await this.#store.drop(change.commandId);
    }
  }
}
