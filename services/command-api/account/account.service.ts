import type { Role } from "#contracts/http/account.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import type { PasswordOwner } from "./password-strength.ts";
import { hashPassword } from "./passwords.ts";

/** Maximum number of attempts at adding an account while the same address is being registered. */
const TRIES = 20;

/** Manages accounts. Only the operator adds them. */
export class AccountService extends Service<
  Pick<Dependencies, "accounts" | "claims" | "credentials" | "blind" | "strength">
> {
  /**
   * Adds an account, replacing an unconfirmed one with the same address.
   * @returns null if the address is taken.
   * @throws {CannotStart} if the password is too weak.
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
    const { claims, credentials, blind: index } = this.deps;
    const names = { first_name: firstName, last_name: lastName };
    this.#check(account.password, { email, role, ...names });
    const passwordHash = await hashPassword(account.password);
    // Indexed like the reporter's address in reports, so that each can be found by the other.
    const blind = reporterBlindIndexes(email, index);
    const profile = { email, ...names, blind };
    const command = { type: "AddAccount", account: { role, account: profile } } as const;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const claimed = await claims.claim(await credentials.byEmail(email), email, caller);
      if (claimed === "owned") return null;
      if (!claimed) continue;
      const change = { ...claimed.change, passwordHash };
      const added = await credentials.make(command, change, caller);
      await claimed.bury();
      if (added) return { id: change.accountId };
    }
    return null;
  }

  async idOf(email: string): Promise<string | undefined> {
    return (await this.deps.accounts.byEmail(email))?.id;
  }

  /** Returns the oldest active admin, or the oldest if none is active; undefined if there is none. */
  async firstAdmin(): Promise<{ id: string; email: string; tokenVersion: number } | undefined> {
    const account = await this.deps.accounts.firstAdmin();
    if (!account) return undefined;
    const { id, tokenVersion } = account;
    return { id, tokenVersion, email: await this.deps.accounts.email(account) };
  }

  /**
   * Sets the password of the account or the first admin, lifts its ban, and ends its sessions.
   * @throws {CannotStart} if the password is too weak.
   */
  async resetPassword(
    email: string | undefined,
    password: string,
    caller: Caller,
  ): Promise<{ id: string; email: string } | null> {
    const { accounts, credentials } = this.deps;
    const account = email ? await accounts.byEmail(email) : await accounts.firstAdmin();
    if (!account) return null;
    const { role } = account;
    this.#check(password, { role, email: await accounts.email(account) });
    const change = { accountId: account.id, passwordHash: await hashPassword(password) };
    const reset = await credentials.make({ type: "ResetPassword" }, change, caller);
    return reset ? { id: account.id, email: await accounts.email(account) } : null;
  }

  /** Words the error for the operator's terminal. */
  #check(password: string, owner: PasswordOwner): void {
    const problem = this.deps.strength.problem(password, owner);
    if (problem) throw new CannotStart(`Choose another password. ${problem}`);
  }
}
