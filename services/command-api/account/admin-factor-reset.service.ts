import { randomUUID } from "node:crypto";
import { type CommandEnvelope, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";
import type { FactorResetDeps } from "./factor-reset.service.ts";
import { accountNotFound } from "./two-factor.decider.ts";

/**
 * Switches an admin's second factor off: one admin asks, all are mailed, a second one confirms, or it
 * takes effect after a day without an objection.
 */
export class AdminFactorResets {
  readonly #deps: FactorResetDeps;

  constructor(deps: FactorResetDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the position of the event, as the other methods.
   * @throws {DomainError} `account_not_found`, `forbidden`, `two_factor_off`, `conflict`
   */
  async request(ownerId: string, reason: string, envelope: CommandEnvelope): Promise<string> {
    const { handler } = this.#deps;
    const by = envelope.caller.actor.id;
    const { told } = await this.#admins(ownerId);
    const asked = { requestId: randomUUID(), by, ownerId, told, reason };
    const command = { type: "RequestTwoFactorReset", ...asked } as const;
    return (await handler.execute(accountAggregate(ownerId), command, envelope)).position;
  }

  /** @throws {DomainError} `not_found`: there is no such request any more. */
  async object(ownerId: string, requestId: string, envelope: CommandEnvelope): Promise<string> {
    const { handler } = this.#deps;
    const by = envelope.caller.actor.id;
    const { told } = await this.#admins(ownerId);
    const command = { type: "ObjectToTwoFactorReset", requestId, by, told } as const;
    return (await handler.execute(accountAggregate(ownerId), command, envelope)).position;
  }

  /** All sessions of the account end. @throws {DomainError} `not_found`, `forbidden` */
  async confirm(ownerId: string, requestId: string, envelope: CommandEnvelope): Promise<string> {
    const by = envelope.caller.actor.id;
    const isProtected = await this.#isProtectedSince(by, ownerId);
    const admins = await this.#admins(ownerId);
    const command = { type: "ConfirmTwoFactorReset", requestId, by, isProtected } as const;
    const position = await this.#carryOut(ownerId, { ...command, ...admins }, envelope);
    if (!position) throw accountNotFound();
    return position;
  }

  /** Carries out what nobody objected to in time. */
  async completeDue(nowMs: number): Promise<void> {
    const { accounts, handler } = this.#deps;
    const caller = systemCaller(new Date(nowMs).toISOString());
    for (const id of await accounts.protectedAdmins()) {
      const request = (await handler.load(accountAggregate(id)))?.state.factorReset;
      if (!request || request.effectiveAt > caller.now) continue;
      const command = { type: "CompleteTwoFactorReset", ...(await this.#admins(id)) } as const;
      await this.#carryOut(id, command, newEnvelope(caller));
    }
  }

  async #carryOut(
    accountId: string,
    command: CredentialCommand,
    envelope: CommandEnvelope,
  ): Promise<string | undefined> {
    const { credentials, factors, handler } = this.#deps;
    const before = await handler.load(accountAggregate(accountId));
    const outcome = await credentials.make(command, { accountId }, envelope.caller, envelope);
    // A command that is sent again finds what its owner set up since.
    const isFirst = outcome && before && before.revision < outcome.revision;
    const { codesId } = (isFirst && before.state.secondFactor) || {};
    if (codesId) await factors.dropCodes(codesId);
    return outcome?.position;
  }

  /** Whether an admin's own second factor is older than the request that they confirm. */
  async #isProtectedSince(adminId: string, ownerId: string): Promise<boolean> {
    const { handler } = this.#deps;
    const [admin, owner] = [accountAggregate(adminId), accountAggregate(ownerId)];
    const [own, asked] = await Promise.all([handler.load(admin), handler.load(owner)]);
    const { secondFactor } = own?.state ?? {};
    const { factorReset } = asked?.state ?? {};
    if (!secondFactor || !factorReset) return false;
    const [set, request] = await Promise.all([
      handler.storedAt(admin, secondFactor.since),
      handler.storedAt(owner, factorReset.revision),
    ]);
    return set !== undefined && request !== undefined && set.position < request.position;
  }

  async #admins(ownerId: string) {
    const admins = await this.#deps.accounts.activeAdmins();
    // The owner gets mails of their own.
    return { admins, told: admins.filter((id) => id !== ownerId) };
  }
}
