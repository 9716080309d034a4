import { CHANGE_EMAIL_TAKEN, EMAIL_UNCHANGED } from "#contracts/account/account-messages.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { SecondFactor } from "#contracts/events/user/account-state.ts";
import { invalidRequest } from "#http/validation.ts";
import { normaliseEmail } from "#search/matching.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { owned } from "./account.decider.ts";
import type { CredentialChange } from "./credential.store.ts";
import type { Credentials } from "./credentials.ts";
import {
  changeInvalid,
  type FactorAge,
  openUndo,
  undoInvalid,
  wantedEmail,
} from "./email-change.decider.ts";
import { answeredResetToken } from "./email-confirmation.ts";
import { keepSession, type RenewedTokens, renewTokens } from "./kept-session.ts";
import { othersRegister } from "./registration.service.ts";
import { ownSession, type SignToken } from "./session-start.ts";

/** Maximum number of attempts at a change while others register the same address. */
const TRIES = 5;

/** Changes an account's address: requests the change, confirms it with its link, or undoes it from the old one. */
export class EmailChangeService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "credentials" | "claims" | "links" | "eraser">
> {
  /**
   * Sends a link to the new address.
   * @throws {DomainError} `invalid_request` if it is the current one; `invalid_token`
   */
  async request(email: string, caller: Caller): Promise<string> {
    const { handler } = this.deps;
    const own = await ownSession(handler, caller);
    const account = accountAggregate(caller.actor.id);
    const present = (await handler.load(account))?.state.profile?.email;
    if (present && normaliseEmail(present) === normaliseEmail(email))
      throw invalidRequest({ email: EMAIL_UNCHANGED });
    const command = { type: "RequestEmailChange", own, email } as const;
    return (await handler.execute(account, command, newEnvelope(caller))).position;
  }

  /** Withdraws the request and voids its link. @returns the last position. @throws {DomainError} `invalid_token` */
  async withdraw(caller: Caller): Promise<string> {
    const { handler } = this.deps;
    const own = await ownSession(handler, caller);
    const account = accountAggregate(caller.actor.id);
    const command = { type: "WithdrawEmailChange", own } as const;
    return (await handler.execute(account, command, newEnvelope(caller))).position;
  }

  /**
   * Makes the new address the account's. Requires a session of the account, because whoever owns the mailbox may be
   * a stranger. Other sessions end; this one gets new tokens.
   * @throws {DomainError} `link_invalid`, also for a link of another account; `email_taken`, `conflict`,
   *   `invalid_token`
   */
  async confirm(
    token: string,
    caller: Caller,
    sign: SignToken,
  ): Promise<RenewedTokens & { readonly position: string }> {
    const { accounts, handler, links } = this.deps;
    const { id: accountId } = caller.actor;
    const link = links.readToken(token, "change-email", caller.now);
    if (typeof link === "string" || link.aggregateId !== accountId) throw changeInvalid();
    const { linkId } = link;
    const own = await ownSession(handler, caller);
    const { refreshToken, kept } = keepSession(own.id);
    const outcome = await this.#move(accountId, caller, async () => {
      const state = owned((await handler.load(accountAggregate(accountId)))?.state, own);
      return {
        email: wantedEmail(state, linkId, caller.now),
        command: { type: "ConfirmEmailChange", own, linkId },
        change: { kept },
      };
    });
    const tokens = await renewTokens(accounts, caller, refreshToken, sign);
    return { ...tokens, position: outcome.position };
  }

  /**
   * Recovers the account for its previous address, even if it has been closed since. Its password is void, all of
   * its sessions end, and the reports that it claimed with the other address are detached.
   * @returns a token to set a password.
   * @throws {DomainError} `link_invalid`; `email_taken` if another account has the address now; `conflict`
   */
  async undo(
    token: string,
    caller: Caller,
  ): Promise<{ readonly resetToken: string | undefined; readonly position: string }> {
    const { eraser, handler, links } = this.deps;
    const link = links.readToken(token, "undo-email-change", caller.now);
    if (typeof link === "string") throw undoInvalid();
    const { aggregateId: accountId, linkId } = link;
    const outcome = await this.#move(accountId, caller, async () => {
      const state = (await handler.load(accountAggregate(accountId)))?.state;
      const { formerEmail } = openUndo(state, linkId, caller.now);
      const factor = await this.#factorOf(accountId, state?.secondFactor);
      return {
        email: formerEmail,
        command: { type: "UndoEmailChange", linkId, factor },
        change: { passwordHash: "", forgetsDevices: true },
      };
    });
    await eraser.disownUndone(accountId, caller);
    const resetToken = await answeredResetToken(accountId, outcome.state, this.deps);
    return { resetToken, position: outcome.position };
  }

  /**
   * Changes the account's address, which is reserved before the event is logged.
   * @param plan is called on each try.
   */
  async #move(
    accountId: string,
    caller: Caller,
    plan: () => Promise<{
      readonly email: string;
      readonly command: Parameters<Credentials["make"]>[0];
      readonly change: Omit<CredentialChange, "accountId">;
    }>,
  ) {
    const { accounts, claims, credentials } = this.deps;
    for (let tries = 0; tries < TRIES; tries += 1) {
      await credentials.deliver(streams.user(accountId));
      const { email, command, change } = await plan();
      const found = await credentials.byEmail(email);
      const other = found?.id === accountId ? undefined : found;
      const free = await claims.free(other, email, caller);
      if (free === "owned") throw new DomainError("email_taken", CHANGE_EMAIL_TAKEN);
      if (!free) continue;
      const address = await accounts.stored(accountId, email);
      const moved = { ...change, accountId, address, former: free.former };
      const outcome = await credentials.make(command, moved, caller);
      await free.bury();
      if (outcome) return outcome;
    }
    throw othersRegister();
  }

  async #factorOf(
    accountId: string,
    factor: SecondFactor | undefined,
  ): Promise<FactorAge | undefined> {
    if (!factor) return undefined;
    const { since } = factor;
    const event = await this.deps.handler.storedAt(accountAggregate(accountId), since);
    if (!event) throw new Error(`the account has no event ${since}`);
    return { since, at: event.metadata.time };
  }
}
