import { randomUUID } from "node:crypto";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { Role } from "#contracts/http/auth.ts";
import { subjects } from "#contracts/sealed.ts";
import { normaliseEmail } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { AccountEraser } from "./account.eraser.ts";
import type { Account, AccountStore, NewAccount } from "./account.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly accounts: Pick<AccountStore, "handOver">;
  readonly eraser: Pick<AccountEraser, "finish" | "abandon">;
}

/** Gives addresses to accounts that are being added. An address that nobody confirmed is free. */
export class AddressClaims {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * An account that has the address and no event yet: a new one, or one that an earlier attempt left.
   * @param found the account that has the address now.
   * @returns `owned` when the address is an account's; undefined when somebody else was in between.
   */
  async claim(
    found: Account | undefined,
    wanted: { readonly email: string; readonly role: Role },
    caller: Caller,
  ): Promise<{ readonly id: string } | "owned" | undefined> {
    const { handler } = this.#deps;
    const { now } = caller;
    if (!found) return this.#take(undefined, { ...wanted, id: randomUUID(), now });
    const loaded = await handler.load(accountAggregate(found.id));
    if (!loaded) return { id: found.id };
    const ended = await this.#ended(found.id, loaded.state, caller);
    if (!ended) return undefined;
    if (!ended.over) return has(ended, wanted.email) ? "owned" : undefined;
    // The row goes from one account to the next in one transaction. Then no process that dies
    // leaves the address to an account that the former one does not name.
    const id = await this.#successor(ended);
    const taken = await this.#take(found.id, { ...wanted, id, now });
    await this.#bury(found.id, ended, caller);
    return taken;
  }

  /**
   * Frees an address for an account that has shown that it is its own. The log names nobody as the
   * successor: the change of address may still fail, and then that account has another one.
   * @param found the account that has the address now.
   * @returns what takes the address over, once; `owned` when it is an account's; undefined when
   *   somebody else was in between.
   */
  async free(
    found: Account,
    email: string,
    caller: Caller,
  ): Promise<{ readonly former: string; bury(): Promise<void> } | "owned" | undefined> {
    const loaded = await this.#deps.handler.load(accountAggregate(found.id));
    // Without events it is being registered right now.
    const ended = loaded && (await this.#ended(found.id, loaded.state, caller));
    if (!ended) return undefined;
    if (!ended.over) return has(ended, email) ? "owned" : undefined;
    return { former: found.id, bury: () => this.#bury(found.id, ended, caller) };
  }

  async #ended(id: string, state: AccountState, caller: Caller) {
    return state.over ? state : this.#replace(id, caller);
  }

  /** Does what follows from the end of an account. */
  async #bury(id: string, { over }: AccountState, caller: Caller): Promise<void> {
    const { eraser } = this.#deps;
    if (over === "erased") await eraser.finish(id, caller);
    else await eraser.abandon(id, caller.now);
  }

  /**
   * @returns the account that is over, by this or by another process, or its owner's; undefined when
   *   it was read without its end, but when its key was destroyed already.
   */
  async #replace(id: string, caller: Caller): Promise<AccountState | undefined> {
    // Whoever registers the address next gets this id; until then nobody has it.
    const command = { type: "ReplaceAccount", by: randomUUID() } as const;
    const account = accountAggregate(id);
    const { state } = await this.#deps.handler.execute(account, command, newEnvelope(caller));
    const { over, confirmed, closed, banned } = state ?? {};
    return over || confirmed || closed || banned ? state : undefined;
  }

  /** The account that the log names, so that links of the former one lead to it. */
  async #successor({ replacedBy }: AccountState): Promise<string> {
    if (!replacedBy) return randomUUID();
    // With events it has had the address, e.g. where an older database was restored.
    const revision = await this.#deps.handler.lastRevision(accountAggregate(replacedBy));
    return revision < 0 ? replacedBy : randomUUID();
  }

  async #take(former: string | undefined, account: NewAccount) {
    const { accounts, keys } = this.#deps;
    const { id } = account;
    await keys.ensure([{ subject: subjects.account(id) }]);
    return (await accounts.handOver(former, account)) ? { id } : undefined;
  }
}

/** Whether the address is still the account's: its row may be behind a change of address. */
function has({ profile }: AccountState, email: string): boolean {
  return !profile || normaliseEmail(profile.email) === normaliseEmail(email);
}
