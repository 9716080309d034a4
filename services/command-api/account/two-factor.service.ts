import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpStep,
  totpUri,
} from "./factor-codes.ts";
import { keepSession, type RenewedTokens, renewTokens } from "./kept-session.ts";
import { ownSession, type SignToken } from "./session-start.ts";
import { assertTwoFactorOff, wrongCode } from "./two-factor.decider.ts";

/** A result, with the position of its event. */
type Done<T> = T & { readonly position: string };

/** Manages an owner's second factor: an authenticator, and recovery codes for when it is lost. */
export class TwoFactorService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "credentials" | "factors" | "blind" | "issuer">
> {
  /**
   * Generates an authenticator's secret for {@link confirm}.
   * @throws {DomainError} `two_factor_on`, `invalid_token`
   */
  async setUp(caller: Caller): Promise<{ readonly secret: string; readonly uri: string }> {
    const { accounts, factors, handler, issuer } = this.deps;
    const accountId = caller.actor.id;
    const [account, loaded] = [
      await accounts.byId(accountId),
      await handler.load(accountAggregate(accountId)),
    ];
    if (!account || !loaded) throw sessionOver();
    assertTwoFactorOff(loaded.state);
    const secret = newTotpSecret();
    await factors.setUp(accountId, { factorId: randomUUID(), secret }, Date.parse(caller.now));
    return { secret, uri: totpUri(secret, issuer, await accounts.email(account)) };
  }

  /** Turns on 2FA and ends other sessions. @throws {DomainError} `wrong_code`, `two_factor_on`, `invalid_token` */
  async confirm(
    code: string,
    caller: Caller,
    sign: SignToken,
  ): Promise<Done<RenewedTokens & { readonly recoveryCodes: readonly string[] }>> {
    const { accounts, credentials, factors, handler } = this.deps;
    const accountId = caller.actor.id;
    const nowMs = Date.parse(caller.now);
    const own = await ownSession(handler, caller);
    const factor = await factors.waiting(accountId, nowMs);
    const step = factor && totpStep(factor.secret, code, nowMs);
    // The code used here cannot be used to sign in afterwards.
    if (!factor || step === undefined || !(await factors.spendStep(factor.factorId, step)))
      throw wrongCode();
    const { factorId } = factor;
    const { refreshToken, kept } = keepSession(own.id);
    const change = { accountId, kept };
    const { recoveryCodes, position } = await this.#withNewCodes(accountId, async (codesId) => {
      const command = { type: "EnableTwoFactor", own, factorId, codesId } as const;
      const outcome = await credentials.make(command, change, caller);
      if (!outcome) throw sessionOver();
      return outcome;
    });
    const tokens = await renewTokens(accounts, caller, refreshToken, sign);
    return { ...tokens, recoveryCodes, position };
  }

  /** @throws {DomainError} `two_factor_off`, `invalid_token` */
  async disable(caller: Caller, sign: SignToken): Promise<Done<RenewedTokens>> {
    const { accounts, credentials, handler } = this.deps;
    const accountId = caller.actor.id;
    const own = await ownSession(handler, caller);
    const former = await this.#codesInForce(accountId);
    const { refreshToken, kept } = keepSession(own.id);
    const change = { accountId, kept };
    const outcome = await credentials.make({ type: "DisableTwoFactor", own }, change, caller);
    if (!outcome) throw sessionOver();
    await this.#forget(former);
    const tokens = await renewTokens(accounts, caller, refreshToken, sign);
    return { ...tokens, position: outcome.position };
  }

  /** Creates recovery codes, voiding the previous ones. @throws {DomainError} `two_factor_off`, `invalid_token` */
  async replaceCodes(caller: Caller): Promise<Done<{ readonly recoveryCodes: readonly string[] }>> {
    const { handler } = this.deps;
    const accountId = caller.actor.id;
    const own = await ownSession(handler, caller);
    const former = await this.#codesInForce(accountId);
    const { recoveryCodes, position } = await this.#withNewCodes(accountId, (codesId) =>
      handler.execute(
        accountAggregate(accountId),
        { type: "ReplaceRecoveryCodes", own, codesId },
        newEnvelope(caller),
      ),
    );
    await this.#forget(former);
    return { recoveryCodes, position };
  }

  /** Stores the codes before the event that puts them in force, so that codes in force always exist. */
  async #withNewCodes(
    accountId: string,
    append: (codesId: string) => Promise<{ readonly position: string }>,
  ): Promise<Done<{ readonly recoveryCodes: readonly string[] }>> {
    const { blind, factors } = this.deps;
    const codesId = randomUUID();
    const recoveryCodes = newRecoveryCodes();
    const hashes = recoveryCodes.map((code) => recoveryCodeHash(blind, accountId, code));
    await factors.addCodes(accountId, codesId, hashes);
    try {
      const { position } = await append(codesId);
      return { recoveryCodes, position };
    } catch (error) {
      // A refusal is decided before anything is appended.
      if (error instanceof DomainError && error.code !== "conflict") await this.#forget(codesId);
      throw error;
    }
  }

  async #codesInForce(accountId: string): Promise<string | undefined> {
    const loaded = await this.deps.handler.load(accountAggregate(accountId));
    return loaded?.state.secondFactor?.codesId;
  }

  /** Deletes only this set: another may be coming into force concurrently. */
  async #forget(codesId: string | undefined): Promise<void> {
    if (codesId) await this.deps.factors.dropCodes(codesId);
  }
}
