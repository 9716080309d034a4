import { randomUUID } from "node:crypto";
import type { Role } from "#contracts/http/auth.ts";
import { subjects } from "#contracts/sealed.ts";
import { hashPassword } from "#services/command-api/account/passwords.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { CredentialChanges } from "./credential-changes.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly changes: CredentialChanges;
  readonly blind: BlindIndexer;
}

/** Manages accounts. Only the operator adds them. */
export class AccountService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds an account. It completes what an interrupted earlier attempt has begun.
   * @returns null when the address already belongs to an account.
   */
  async add(
    account: {
      readonly email: string;
      readonly password: string;
      readonly role: Role;
      readonly firstName: string;
      readonly lastName: string;
    },
    caller: Caller,
  ): Promise<{ id: string } | null> {
    const { email, role, firstName, lastName } = account;
    const { handler, changes, blind: index } = this.#deps;
    const id = (await this.#byEmail(email, caller.now))?.id ?? (await this.#take(account, caller));
    if (!id || (await handler.loadFirst(accountAggregate(id)))) return null;
    const passwordHash = await hashPassword(account.password);
    // Indexed like the reporter's address in reports, so that each can be found by the other.
    const blind = reporterBlindIndexes(email, index);
    const profile = { email, first_name: firstName, last_name: lastName, blind };
    const command = { type: "AddAccount", account: { role, account: profile } } as const;
    const added = await changes.make(command, { accountId: id, passwordHash, role }, caller);
    if (added) return { id };
    // Another process was first. When this returns, that account is complete.
    await changes.settle(caller.now, id);
    return null;
  }

  /** Id of the account with this address; undefined when there is none. */
  async idOf(email: string): Promise<string | undefined> {
    return (await this.#deps.accounts.byEmail(email))?.id;
  }

  /** The oldest active admin, or the oldest when none is active; undefined when there is none. */
  async firstAdmin(): Promise<{ id: string; email: string; tokenVersion: number } | undefined> {
    const account = await this.#deps.accounts.firstAdmin();
    if (!account) return undefined;
    const { id, tokenVersion } = account;
    return { id, tokenVersion, email: await this.#deps.accounts.email(account) };
  }

  /**
   * Sets a new password for the account, or for the first admin. It also lifts a ban and ends all
   * sessions. The event `PasswordReset` means all of these.
   */
  async resetPassword(
    email: string | undefined,
    password: string,
    caller: Caller,
  ): Promise<{ id: string; email: string } | null> {
    const { accounts, changes } = this.#deps;
    const account = email ? await this.#byEmail(email, caller.now) : await accounts.firstAdmin();
    if (!account) return null;
    const change = { accountId: account.id, passwordHash: await hashPassword(password) };
    const reset = await changes.make({ type: "ResetPassword" }, change, caller);
    return reset ? { id: account.id, email: await accounts.email(account) } : null;
  }

  /** @returns the account's id, even when another process took the address meanwhile. */
  async #take(
    { email, role }: { readonly email: string; readonly role: Role },
    { now }: Caller,
  ): Promise<string | undefined> {
    const { accounts, keys } = this.#deps;
    const id = randomUUID();
    await keys.ensure([{ subject: subjects.account(id) }]);
    if (await accounts.takeAddress({ id, email, role, now })) return id;
    return (await this.#byEmail(email, now))?.id;
  }

  async #byEmail(email: string, now: string): Promise<Account | undefined> {
    const account = await this.#deps.accounts.byEmail(email);
    if (!account?.changing) return account;
    await this.#deps.changes.settle(now, account.id);
    return this.#deps.accounts.byEmail(email);
  }
}
