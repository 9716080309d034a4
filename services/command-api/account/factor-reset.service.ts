import { DomainError } from "#contracts/domain-error.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { TwoFactorCommand } from "./account.commands.ts";
import type { AccountStore } from "./account.store.ts";
import { AdminFactorResets } from "./admin-factor-reset.service.ts";
import type { Credentials } from "./credentials.ts";
import type { SecondFactorStore } from "./second-factor.store.ts";
import { accountNotFound } from "./two-factor.decider.ts";

export interface FactorResetDeps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "byId" | "activeAdmins" | "protectedAdmins">;
  readonly credentials: Credentials;
  readonly factors: Pick<SecondFactorStore, "dropCodes">;
}

type By = Extract<TwoFactorCommand, { type: "ResetTwoFactor" }>["by"];

/** Switches the second factor off for owners who lost both their device and their codes. */
export class FactorResetService {
  readonly #deps: FactorResetDeps;

  /** Those of admins, which one admin alone does not reset. */
  readonly ofAdmins: AdminFactorResets;

  constructor(deps: FactorResetDeps) {
    this.#deps = deps;
    this.ofAdmins = new AdminFactorResets(deps);
  }

  /**
   * An admin resets it. All sessions of the account end. That of an admin is only asked for.
   * @param reason why, and how the admin knows whom they helped.
   * @returns the position of the event.
   * @throws {DomainError} `account_not_found`, `forbidden`, `two_factor_off`, `conflict`
   */
  async byAdmin(
    id: string,
    reason: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly done: "reset" | "requested"; readonly position: string }> {
    const account = await this.#deps.accounts.byId(id);
    if (account?.role === "admin")
      return { done: "requested", position: await this.ofAdmins.request(id, reason, envelope) };
    const by = envelope.caller.actor.id === id ? "self" : "admin";
    return { done: "reset", position: await this.#reset(id, { by, reason }, envelope) };
  }

  /**
   * The operator resets it, of any account.
   * @returns false when it was not on.
   * @throws {DomainError} `account_not_found`
   */
  async byOperator(id: string, caller: Caller): Promise<boolean> {
    try {
      await this.#reset(id, { by: "operator" }, newEnvelope(caller));
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === "two_factor_off") return false;
      throw error;
    }
  }

  async #reset(
    id: string,
    who: { readonly by: By; readonly reason?: string },
    envelope: CommandEnvelope,
  ): Promise<string> {
    const { accounts, credentials, factors, handler } = this.#deps;
    const account = await accounts.byId(id);
    if (!account) throw accountNotFound();
    const admins = await accounts.activeAdmins();
    // Whose factor it is gets a mail of their own.
    const told = admins.filter((admin) => admin !== id);
    const before = await handler.load(accountAggregate(id));
    const { role } = account;
    const command = { type: "ResetTwoFactor", role, told, ...who } as const;
    const outcome = await credentials.make(command, { accountId: id }, envelope.caller, envelope);
    if (!outcome) throw accountNotFound();
    // A command that is sent again finds what its owner set up since.
    const { codesId } =
      (before && before.revision < outcome.revision && before.state.secondFactor) || {};
    if (codesId) await factors.dropCodes(codesId);
    return outcome.position;
  }
}
