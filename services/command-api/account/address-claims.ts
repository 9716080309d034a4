import { randomUUID } from "node:crypto";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { normaliseEmail } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { AccountEraser } from "./account.eraser.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { CredentialChange } from "./credential.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly accounts: Pick<AccountStore, "stored">;
  readonly eraser: Pick<AccountEraser, "finish" | "abandon">;
}

/** An address that an account may take. */
interface Free {
  /** Whose it was: its row goes in the transaction that gives the address to the next one. */
  readonly former?: string;
  readonly ended?: AccountState;
  /** Does what follows from the end of the former one. */
  bury(): Promise<void>;
}

/** Gives addresses to accounts that are being added. An address that nobody confirmed is free. */
export class AddressClaims {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @param found the account that has the address now.
   * @returns the change that adds an account with the address; `owned` when it is an account's; undefined
   *   when somebody else was in between.
   */
  async claim(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<(Free & { readonly change: CredentialChange }) | "owned" | undefined> {
    const { accounts, keys } = this.#deps;
    const free = await this.free(found, email, caller);
    if (!free || free === "owned") return free;
    const accountId = await this.#successor(free.ended);
    await keys.ensure([{ subject: subjects.account(accountId) }]);
    const address = await accounts.stored(accountId, email);
    return { ...free, change: { accountId, adds: true, address, former: free.former } };
  }

  /**
   * The same for an account that has shown that the address is its own. The log names nobody as the successor: the
   * change of address may still fail, and then that account has another one.
   */
  async free(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<Free | "owned" | undefined> {
    const { handler } = this.#deps;
    if (!found) return { bury: async () => undefined };
    const { id } = found;
    const loaded = await handler.load(accountAggregate(id));
    // Its history is lost with an older log.
    if (!loaded) return { former: id, bury: async () => undefined };
    const ended = loaded.state.over ? loaded.state : await this.#replace(id, caller);
    if (!ended) return undefined;
    if (!ended.over) return has(ended, email) ? "owned" : undefined;
    return { former: id, ended, bury: () => this.#bury(id, ended, caller) };
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
  async #successor(ended: AccountState | undefined): Promise<string> {
    const replacedBy = ended?.replacedBy;
    if (!replacedBy) return randomUUID();
    // With events it has had the address, e.g. where an older database was restored.
    const revision = await this.#deps.handler.lastRevision(accountAggregate(replacedBy));
    return revision < 0 ? replacedBy : randomUUID();
  }
}

/** Whether the address is still the account's: its row may be of an older copy of the database. */
function has({ profile }: AccountState, email: string): boolean {
  return !profile || normaliseEmail(profile.email) === normaliseEmail(email);
}
