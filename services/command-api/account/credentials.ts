import { streams } from "#contracts/events/index.ts";
import { ACCOUNT_ENDS, type AccountState } from "#contracts/events/user/account-state.ts";
import { chainEvents, GENESIS_HASH } from "#event-store/batch.ts";
import {
  type AppendResult,
  type EventToAppend,
  InvalidBatch,
  type Position,
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
import type {
  CredentialChange,
  CredentialStore,
  OutboxRow,
  SessionEnding,
} from "./credential.store.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { EndCause } from "./session.decider.ts";

/** After these events, no more events of a row are appended to a stream. */
const ENDS: readonly string[] = [...ACCOUNT_ENDS, "SessionEnded"];
/** A session that still has no event after this time belongs to a sign-in that crashed. */
const CRASHED_MS = 3_600_000;
const BEGINNINGS = ["AccountAdded", "AccountRegistered", "AccountInvited"];
/** How often appending a row's events is retried while others append to the account. */
const TRIES = 20;
/** How long delivered rows are kept for a restore: longer than a backup takes. */
const CACHE_MS = 24 * 3_600_000;

export interface SessionEnd {
  readonly id: string;
  readonly accountId: string;
  readonly cause: EndCause;
}

/** The command that ends a session for each cause. */
const ENDINGS: Readonly<Record<EndCause, string>> = {
  signed_out: "SignOut",
  ended_by_owner: "EndSession",
  refresh_token_reused: "RefreshSession",
  idle: "ExpireSession",
  expired: "ExpireSession",
  log_restored: "ExpireSession",
};

/** A change that is in the tables. Its position is `START` if the log is down and will get it later. */
export interface AppliedChange extends Outcome<AccountState | undefined> {
  /** Whether it dropped what was set before: name, password, second factor, reports. */
  readonly drops: boolean;
}

/** Changes credentials: tables and outbox in one transaction, then the log, either here or by the relay. */
export class Credentials extends Service<
  Pick<Dependencies, "handler" | "accounts" | "blind" | "hidings"> & {
    readonly store: CredentialStore;
  }
> {
  /** @param envelope makes the change idempotent. @returns undefined if nothing was changed. */
  async make(
    command: CredentialCommand,
    change: CredentialChange,
    caller: Caller,
    envelope: CommandEnvelope = newEnvelope(caller),
  ): Promise<AppliedChange | undefined> {
    const { blind, handler, hidings } = this.deps;
    const account = accountAggregate(change.accountId, blind);
    let events: Decided<AccountState>["events"] = [];
    await this.deliver(account.stream);
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
      // Log the other change before this one is decided again.
      if (error instanceof RevisionConflict) await this.deliver(streams.user(accountId));
      throw error;
    }
    const revision = decided.revision + decided.events.length;
    return row && unlessAway(this.#deliver(row, decided.revision), { revision, position: START });
  }

  /**
   * Ends sessions immediately. Their events are logged right after, or by the relay.
   * @param most how many of the events to append here.
   * @returns how many sessions it ended, and the position of the last end: `START` if the log is down.
   */
  async end(
    endings: readonly SessionEnd[],
    caller: Caller,
    most = endings.length,
  ): Promise<{ readonly ended: number; readonly position: Position }> {
    const { handler, store } = this.deps;
    const made: SessionEnding[] = [];
    for (const { id, accountId, cause } of endings) {
      const session = sessionAggregate(id, accountId);
      const event = { type: "SessionEnded", data: { cause } } as const;
      const events = await handler.draft(session, ENDINGS[cause], event, newEnvelope(caller));
      made.push({ id, accountId, events });
    }
    const ended = await store.endSessions(made, caller.now);
    let position: Position | undefined = START;
    for (const { id } of endings.slice(0, most)) {
      position = await unlessAway(this.deliver(streams.session(id)), undefined);
      if (position === undefined) break;
    }
    return { ended, position: position ?? START };
  }

  /** Returns the account with this address, once all events of its row are in the log. */
  async byEmail(email: string): Promise<Account | undefined> {
    const account = await this.deps.accounts.byEmail(email);
    if (account) await this.deliver(streams.user(account.id));
    return account;
  }

  /**
   * Returns an account and a revision at which its credentials match the row, unless the token version has changed.
   */
  async at(accountId: string): Promise<{ account: Account | undefined; revision: Revision }> {
    const { accounts, handler } = this.deps;
    const account = await accounts.byId(accountId);
    await this.deliver(streams.user(accountId));
    const last = await handler.last(accountAggregate(accountId));
    // An ended account may still have its row and key for a moment.
    const isOver = last !== undefined && ACCOUNT_ENDS.includes(last.type);
    return { account: isOver ? undefined : account, revision: last?.revision ?? -1 };
  }

  /** Appends the stream's events that the log lacks, in order. @returns the last position, or `START`. */
  async deliver(stream: string): Promise<Position> {
    let position = START;
    for (const row of await this.deps.store.waiting(stream))
      position = (await this.#deliver(row))?.position ?? position;
    return position;
  }

  /** Appends all events that the log lacks, and deletes rows that were delivered over a day ago. */
  async relay(nowMs: number): Promise<void> {
    const { store } = this.deps;
    for (const stream of await store.streamsWaiting()) await this.deliver(stream);
    await store.sweep(new Date(nowMs - CACHE_MS));
  }

  /** Like {@link relay}, after a restore: the log may have lost events that it had. */
  async relayAgain(nowMs: number): Promise<void> {
    await this.deps.store.redeliver();
    await this.relay(nowMs);
  }

  /** Sets role, ban and closing from the log in a row of a restored, older database. */
  async align(id: string): Promise<void> {
    const { accounts, handler } = this.deps;
    await this.deliver(streams.user(id));
    const account = (await handler.load(accountAggregate(id)))?.state;
    if (account && !account.over) await accounts.align(id, account);
  }

  /**
   * Appends a row's events at the end of the stream unless they are already in it.
   * @param expected the stream's revision when they were decided.
   * @returns undefined if the stream has ended, has not begun, or has lost its beginning.
   */
  async #deliver(row: OutboxRow, expected?: Revision): Promise<AppendResult | undefined> {
    const { handler, store } = this.deps;
    const { stream, events } = row;
    const [first, last] = [events[0], events.at(-1)];
    for (let tries = 0, at = expected, batch = events; ; tries += 1) {
      let there = at === undefined ? undefined : await this.#tryAppend(stream, batch, at, tries);
      let head: StoredEvent | undefined;
      if (!there)
        for await (const event of handler.newestFirst({ stream })) {
          head ??= event;
          if (event.id === last?.id) there = event;
          if (there) break;
          if (ENDS.includes(event.type)) return store.drop(row);
        }
      if (there) {
        await store.delivered(row, there.revision);
        return there;
      }
      if (!head && first && !BEGINNINGS.includes(first.type)) {
        const { type, metadata } = first;
        // A sign-in in progress delivers the end after its start.
        const isBeginning =
          type === "SessionEnded" && Date.parse(metadata.time) > Date.now() - CRASHED_MS;
        return isBeginning ? undefined : store.drop(row);
      }
      at = head?.revision ?? -1;
      batch = chainEvents(stream, at + 1, head?.metadata.hash ?? GENESIS_HASH, events);
    }
  }

  /** @returns undefined if others appended first, whether these events or different ones. */
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

/** Resolves to `away` if the log is down. */
async function unlessAway<T, A>(appended: Promise<T>, away: A): Promise<T | A> {
  try {
    return await appended;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return away;
  }
}

function hidingOf(hidden: string, state: AccountState | undefined, at: string): Hiding {
  const { eraseAt: erase_at = null, byOwner } = state?.closed ?? {};
  return { hidden, erase_at, ...(erase_at !== null && !byOwner ? { by_staff: true } : {}), at };
}
