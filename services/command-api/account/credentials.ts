import { streams } from "#contracts/events/index.ts";
import { ACCOUNT_ENDS, type AccountState } from "#contracts/events/user/account-state.ts";
import { chainEvents, GENESIS_HASH } from "#event-store/batch.ts";
import {
  type AppendResult,
  type EventToAppend,
  InvalidBatch,
  type Revision,
  RevisionConflict,
  START,
  type StoredEvent,
  StoreUnavailable,
} from "#event-store/port.ts";
import type { Hiding } from "#vault/erasures/erasure-ledger.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  type Outcome,
} from "../kernel/envelope.ts";
import type { Decided } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { HIDINGS } from "../report/hiding-record.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type { Account } from "./account.store.ts";
import type { CredentialChange, CredentialStore, OutboxRow } from "./credential.store.ts";

/** With which of its events an account begins. */
const BEGINNINGS = ["AccountAdded", "AccountRegistered", "AccountInvited"];
/** How often the events of a row are tried where others append to the account at the same time. */
const TRIES = 20;
/** How long delivered rows are kept for a restore: longer than a backup takes from the log's head to the tables. */
const KEPT_MS = 24 * 3_600_000;

/** A change that is in the tables, and in the log unless that is away: then its position is `START`. */
export interface MadeChange extends Outcome<AccountState | undefined> {
  /** Whether it dropped what was set before: name, password, second factor, reports. */
  readonly drops: boolean;
}

/** Changes credentials: tables and outbox in one transaction, then the events, also by the relay. */
export class Credentials extends Service<
  Pick<Dependencies, "handler" | "accounts" | "blind" | "hidings"> & {
    readonly store: CredentialStore;
  }
> {
  /** @param envelope a repeat of which changes nothing. @returns undefined when nothing was changed. */
  async make(
    command: CredentialCommand,
    change: CredentialChange,
    caller: Caller,
    envelope: CommandEnvelope = newEnvelope(caller),
  ): Promise<MadeChange | undefined> {
    const { blind, handler, hidings } = this.deps;
    const account = accountAggregate(change.accountId, blind);
    let events: Decided<AccountState>["events"] = [];
    await this.deliver(change.accountId);
    const outcome = await handler.execute(account, command, envelope, {
      append: (decided) => {
        events = decided.events;
        return this.#append(change, decided, caller.now);
      },
    });
    if (!outcome.changed) return undefined;
    if (outcome.repeated) return { ...outcome, drops: false };
    if (events.some(({ type }) => HIDINGS.includes(type)))
      await hidings.record(hidingOf(account.stream, outcome.state, caller.now));
    const drops = events.some(({ type, data }) => type === "EmailConfirmed" && data.dropped);
    return { ...outcome, drops };
  }

  async #append(
    change: CredentialChange,
    decided: Decided<AccountState>,
    now: string,
  ): Promise<AppendResult | undefined> {
    const { accounts, store } = this.deps;
    const { accountId } = change;
    const words = decided.state.profile;
    const profile = words && (await accounts.storedProfile(accountId, words));
    let row: OutboxRow | undefined;
    try {
      row = await store.change({ ...change, profile }, decided, now);
    } catch (error) {
      // What was in between is in the log before this is decided again.
      if (error instanceof RevisionConflict) await this.deliver(accountId);
      throw error;
    }
    try {
      return row && (await this.#deliver(row, decided.revision));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { revision: decided.revision + decided.events.length, position: START };
    }
  }

  /** The account with this address; the log has all events of its present row. */
  async byEmail(email: string): Promise<Account | undefined> {
    const account = await this.deps.accounts.byEmail(email);
    if (account) await this.deliver(account.id);
    return account;
  }

  /** An account, and a revision at which its credentials are those of the row, unless that has another token version by now. */
  async at(accountId: string): Promise<{ account: Account | undefined; revision: Revision }> {
    const { accounts, handler } = this.deps;
    const account = await accounts.byId(accountId);
    await this.deliver(accountId);
    const last = await handler.last(accountAggregate(accountId));
    // The row and the key of an account that ended may still be there for a moment.
    const isOver = last !== undefined && ACCOUNT_ENDS.includes(last.type);
    return { account: isOver ? undefined : account, revision: last?.revision ?? -1 };
  }

  /** Appends what the log lacks of the account, in order. */
  async deliver(accountId: string): Promise<void> {
    for (const row of await this.deps.store.waiting(accountId)) await this.#deliver(row);
  }

  /** Appends what the log lacks, and forgets what it has had for a day. */
  async relay(nowMs: number): Promise<void> {
    const { store } = this.deps;
    for (const accountId of await store.accountsWaiting()) await this.deliver(accountId);
    await store.sweep(new Date(nowMs - KEPT_MS));
  }

  /** The same after a restore: the log may lack what it had. */
  async relayAgain(nowMs: number): Promise<void> {
    await this.deps.store.redeliver();
    await this.relay(nowMs);
  }

  /** Its row may be from an older copy of the database: its role, ban and closing are those of the log. */
  async align(id: string): Promise<void> {
    const { accounts, handler } = this.deps;
    await this.deliver(id);
    const account = (await handler.load(accountAggregate(id)))?.state;
    if (account && !account.over) await accounts.align(id, account);
  }

  /**
   * Appends the events of a row where the stream ends by now, unless they are there.
   * @param expected where the stream ended when they were decided.
   * @returns undefined when the account has ended, or its beginning is lost.
   */
  async #deliver(row: OutboxRow, expected?: Revision): Promise<AppendResult | undefined> {
    const { handler, store } = this.deps;
    const { accountId, events } = row;
    const stream = streams.user(accountId);
    const [first, last] = [events[0], events.at(-1)];
    for (let tries = 0, at = expected, batch = events; ; tries += 1) {
      let there = at === undefined ? undefined : await this.#tryAppend(stream, batch, at, tries);
      let head: StoredEvent | undefined;
      if (!there)
        for await (const event of handler.newestFirst({ stream })) {
          head ??= event;
          if (event.id === last?.id) there = event;
          if (there) break;
          if (ACCOUNT_ENDS.includes(event.type)) return store.drop(row);
        }
      if (there) {
        await store.delivered(row, there.revision);
        return there;
      }
      if (!head && !BEGINNINGS.includes(first?.type ?? "")) return store.drop(row);
      at = head?.revision ?? -1;
      batch = chainEvents(stream, at + 1, head?.metadata.hash ?? GENESIS_HASH, events);
    }
  }

  /** @returns undefined when others were first: with these events, or with different ones. */
  async #tryAppend(
    stream: string,
    batch: readonly EventToAppend[],
    revision: Revision,
    tries: number,
  ): Promise<AppendResult | undefined> {
    try {
      return await this.deps.handler.append(stream, batch, revision);
    } catch (error) {
      const isOvertaken = error instanceof RevisionConflict || error instanceof InvalidBatch;
      if (!isOvertaken || tries >= TRIES) throw error;
      return undefined;
    }
  }
}

function hidingOf(hidden: string, state: AccountState | undefined, at: string): Hiding {
  const { eraseAt: erase_at = null, byOwner } = state?.closed ?? {};
  return { hidden, erase_at, ...(erase_at !== null && !byOwner ? { by_staff: true } : {}), at };
}
