import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  type Outcome,
} from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type { CredentialChange, CredentialChangeStore } from "./credential-change.store.ts";

/** How long a change without an event is kept. This is longer than any command takes. */
const KEPT_MS = 24 * 3_600_000;

/** A change that is in the log and in the tables. */
export interface MadeChange extends Outcome<AccountState | undefined> {
  /** Whether it dropped what was set before: name, password, second factor, reports. */
  readonly drops: boolean;
}

/**
 * Changes credentials and records it in the log, never one without the other. The change is
 * prepared, its event appended, then the change applied. After a crash, the log decides whether a
 * prepared change is applied or dropped.
 */
export class CredentialChanges {
  readonly #handler: CommandHandler;
  readonly #store: CredentialChangeStore;
  readonly #blind: BlindIndexer;

  constructor(deps: {
    handler: CommandHandler;
    store: CredentialChangeStore;
    blind: BlindIndexer;
  }) {
    this.#handler = deps.handler;
    this.#store = deps.store;
    this.#blind = deps.blind;
  }

  /**
   * @param envelope of a command that may be sent again: a repeat changes nothing and is answered as
   *   the first time.
   * @returns undefined when nothing was changed.
   */
  async make(
    command: CredentialCommand,
    change: Omit<CredentialChange, "commandId" | "preparedAt">,
    caller: Caller,
    envelope: CommandEnvelope = newEnvelope(caller),
  ): Promise<MadeChange | undefined> {
    const account = accountAggregate(change.accountId, this.#blind);
    // In the order of their events: the account may still be added, or be confirmed elsewhere.
    await this.settle(caller.now, change.accountId);
    if (await this.#isTaken(envelope, change.accountId))
      return { ...(await this.#handler.execute(account, command, envelope)), drops: false };
    const prepared = { ...change, commandId: envelope.id, preparedAt: caller.now };
    if (!(await this.#store.prepare(prepared))) return undefined;
    let outcome: Outcome<AccountState | undefined>;
    try {
      outcome = await this.#handler.execute(account, command, envelope);
    } catch (error) {
      // A refusal is decided before anything is appended.
      if (error instanceof DomainError && error.code !== "conflict")
        await this.#store.drop(envelope.id);
      throw error;
    }
    if (outcome.changed) {
      const { drops } = await this.#recorded(change.accountId, envelope.id);
      await this.#store.apply(envelope.id, outcome.revision, drops, caller.now);
      return { ...outcome, drops };
    }
    await this.#store.drop(envelope.id);
    return undefined;
  }

  /**
   * What the log says of a change: its last event, and whether it drops what was set before. The table
   * may not know yet what other changes did.
   */
  async #recorded(
    accountId: string,
    commandId: string,
  ): Promise<{ readonly revision: number | undefined; readonly drops: boolean }> {
    const events = await this.#handler.appendedBy(streams.user(accountId), commandId);
    const drops = events.some(
      ({ type, data }) => type === "EmailConfirmed" && data.dropped === true,
    );
    return { revision: events.at(-1)?.revision, drops };
  }

  /** Whether the log holds events of the command. */
  async #isTaken({ ids = [] }: CommandEnvelope, accountId: string): Promise<boolean> {
    for (const id of ids) {
      const revision = await this.#handler.revisionOf(streams.user(accountId), id);
      if (revision !== undefined) return true;
    }
    return false;
  }

  /** Applies waiting changes whose events are in the log, for one account or for all. */
  async settle(now: string, accountId?: string): Promise<void> {
    for (const change of await this.#store.waiting(accountId)) {
      const { accountId: id, commandId } = change;
      const { revision, drops } = await this.#recorded(id, commandId);
      if (revision !== undefined) await this.#store.apply(commandId, revision, drops, now);
      // The event of a more recent change may still be on its way to the log.
      else if (Date.parse(change.preparedAt) + KEPT_MS <= Date.parse(now))
        await this.#store.drop(change.commandId);
    }
  }
}
