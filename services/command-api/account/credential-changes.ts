import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { Hiding } from "#vault/erasures/erasure-ledger.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  type Outcome,
} from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { HidingRecord } from "../report/hiding-record.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type {
  CredentialChangeStore,
  NewCredentialChange,
  Recorded,
  Waiting,
} from "./credential-change.store.ts";

/** How long a change without an event is kept. This is longer than any command takes. */
const KEPT_MS = 24 * 3_600_000;
/**
 * The same of a change that takes an admin away: longer than any append takes, and no longer than that,
 * because its account counts as no admin meanwhile.
 */
const UNSEATS_MS = 10 * 60_000;

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
  readonly #hidings: Pick<HidingRecord, "record">;

  constructor(deps: {
    handler: CommandHandler;
    store: CredentialChangeStore;
    blind: BlindIndexer;
    hidings: Pick<HidingRecord, "record">;
  }) {
    this.#handler = deps.handler;
    this.#store = deps.store;
    this.#blind = deps.blind;
    this.#hidings = deps.hidings;
  }

  /**
   * @param envelope of a command that may be sent again: a repeat changes nothing and is answered as
   *   the first time.
   * @returns undefined when nothing was changed.
   */
  async make(
    command: CredentialCommand,
    change: NewCredentialChange,
    caller: Caller,
    envelope: CommandEnvelope = newEnvelope(caller),
  ): Promise<MadeChange | undefined> {
    const account = accountAggregate(change.accountId, this.#blind);
    // In the order of their events: the account may still be added, or be confirmed elsewhere.
    await this.settle(caller.now, change.accountId);
    if (await this.#isTaken(envelope, change.accountId))
      return { ...(await this.#handler.execute(account, command, envelope)), drops: false };
    if (change.unseats)
      await this.#settle(await this.#store.waiting({ unseats: true }), caller.now);
    const { correlationId } = envelope.caller;
    const prepared = { ...change, commandId: envelope.id, correlationId, preparedAt: caller.now };
    if (!(await this.#store.prepare(prepared))) return undefined;
    let outcome: Outcome<AccountState | undefined>;
    try {
      outcome = await this.#handler.execute(account, command, envelope);
    } catch (error) {
      // A refusal is decided before anything is appended.
      if (error instanceof DomainError && error.code !== "conflict")
        await this.#store.drop(prepared);
      throw error;
    }
    if (!outcome.changed) {
      await this.#store.drop(prepared);
      return undefined;
    }
    const recorded = await this.#recorded(change.accountId, envelope.id);
    if (recorded?.correlationId === correlationId)
      await this.#store.apply(prepared, recorded, caller.now);
    else {
      // Another request under the same key was first: what that one noted counts.
      if (outcome.repeated) await this.#store.drop(prepared);
      await this.settle(caller.now, change.accountId);
    }
    if ((change.closes || change.reopens) && !outcome.repeated)
      await this.#hidings.record(hidingOf(account.stream, outcome.state, caller.now));
    return { ...outcome, drops: recorded?.drops ?? false };
  }

  /**
   * What the log says of a command, and of which request its events are; undefined without an event.
   * The table may not know yet what other changes did.
   */
  async #recorded(
    accountId: string,
    commandId: string,
  ): Promise<(Recorded & { readonly correlationId: string }) | undefined> {
    const events = await this.#handler.appendedBy(streams.user(accountId), commandId);
    const last = events.at(-1);
    if (!last) return undefined;
    const dropping = events.find(
      ({ type, data }) => type === "EmailConfirmed" && data.dropped === true,
    );
    const edited = events.find(({ type }) => type === "ProfileEdited");
    return {
      revision: last.revision,
      // A session reads the words of the profile from this event.
      profileRevision: (edited ?? dropping)?.revision,
      drops: dropping !== undefined,
      correlationId: last.metadata.correlationId,
    };
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
    await this.#settle(await this.#store.waiting({ accountId }), now);
  }

  async #settle(waiting: readonly Waiting[], now: string): Promise<void> {
    for (const change of waiting) {
      const { accountId, commandId, correlationId, preparedAt, unseats } = change;
      const recorded = await this.#recorded(accountId, commandId);
      const keptMs = unseats ? UNSEATS_MS : KEPT_MS;
      // A process of an earlier version does not say of which request a change is.
      if (recorded && (!correlationId || recorded.correlationId === correlationId))
        await this.#store.apply(change, recorded, now);
      // Another request under the same key was first; or no event came. That of a more recent change may
      // still be on its way to the log.
      else if (recorded || Date.parse(preparedAt) + keptMs <= Date.parse(now))
        await this.#store.drop(change);
    }
  }
}

function hidingOf(hidden: string, state: AccountState | undefined, at: string): Hiding {
  const { eraseAt: erase_at = null, byOwner } = state?.closed ?? {};
  return { hidden, erase_at, ...(erase_at !== null && !byOwner ? { by_staff: true } : {}), at };
}
