import { DomainError } from "#contracts/domain-error.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { hashPassword } from "#services/command-api/account/passwords.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import { keepSession, renewTokens } from "./kept-session.ts";
import { resetInvalid } from "./password.decider.ts";
import { ownSession, type SignToken } from "./session-start.ts";

/** Sets new passwords for owners. */
export class PasswordService extends Service<
  Pick<
    Dependencies,
    | "handler"
    | "eraser"
    | "accounts"
    | "credentials"
    | "devices"
    | "links"
    | "proof"
    | "strength"
    | "background"
  >
> {
  /**
   * Sends a link to the account's address, if there is one. Decided after the response, so that neither its content
   * nor its timing reveals whether there is.
   * @param brought the secrets of the browser's cookie.
   * @param spend counts a link requested by a browser that the account does not know. If it throws because there
   *   were too many, no link is sent and the caller is not informed.
   * @throws {DomainError} `unavailable` if too many such requests are waiting.
   */
  requestReset(
    email: string,
    brought: readonly string[],
    caller: Caller,
    spend: () => Promise<void>,
  ): void {
    const { accounts, background, devices, handler } = this.deps;
    background.run(async () => {
      const account = await accounts.byEmail(email);
      if (!account) return;
      const isKnown = await devices.knows(account.id, brought, Date.parse(caller.now));
      const device = isKnown ? "known" : "unknown";
      if (!isKnown && (await isTooMany(spend))) return;
      const command = { type: "RequestPasswordReset", device } as const;
      await handler.execute(accountAggregate(account.id), command, newEnvelope(caller));
    });
  }

  /** Sets a password with a link. @returns the position. @throws {DomainError} `link_invalid`, `invalid_request` */
  async reset(token: string, password: string, caller: Caller): Promise<string> {
    const { credentials, handler, eraser, links } = this.deps;
    const link = links.readToken(token, "reset-password", caller.now);
    if (typeof link === "string") throw resetInvalid();
    const { aggregateId: accountId, linkId } = link;
    const account = accountAggregate(accountId);
    const before = await handler.load(account);
    // Checked before the password is hashed, which is expensive, and again by the decider.
    if (!before?.state.passwordResets.some(({ link_id }) => link_id === linkId))
      throw resetInvalid();
    this.#check(password, before.state);
    const passwordHash = await hashPassword(password, "stranger");
    const command = { type: "SetPassword", linkId } as const;
    const change = { accountId, passwordHash, forgetsDevices: true };
    const outcome = await credentials.make(command, change, caller);
    if (!outcome) throw resetInvalid();
    // Detaches reports that were submitted before the address was confirmed.
    if (outcome.drops) await eraser.disown(accountId, outcome.position);
    return outcome.position;
  }

  /**
   * Changes the password, ends all other sessions, and gives this one new tokens.
   * @throws {DomainError} `wrong_password`, `too_many_requests`, `invalid_token`, `invalid_request`
   */
  async change(
    { currentPassword, password }: { readonly currentPassword: string; readonly password: string },
    caller: Caller,
    sign: SignToken,
  ): Promise<{ token: string; refreshToken: string; position: string }> {
    const { accounts, credentials, handler, proof } = this.deps;
    const accountId = caller.actor.id;
    const own = await ownSession(handler, caller);
    const account = await accounts.byId(accountId);
    if (!account) throw sessionOver();
    await proof.check(account, currentPassword, caller);
    this.#check(password, (await handler.load(accountAggregate(accountId)))?.state);
    const passwordHash = await hashPassword(password, account.confirmed ? "known" : "stranger");
    const { refreshToken, kept } = keepSession(own.id);
    const change = { accountId, passwordHash, kept };
    const outcome = await credentials.make({ type: "ChangePassword", own }, change, caller);
    if (!outcome) throw sessionOver();
    const tokens = await renewTokens(accounts, caller, refreshToken, sign);
    return { ...tokens, position: outcome.position };
  }

  #check(password: string, account: AccountState | undefined): void {
    if (!account?.profile) throw sessionOver();
    const { role, profile } = account;
    this.deps.strength.refuse(password, { ...profile, role });
  }
}

async function isTooMany(spend: () => Promise<void>): Promise<boolean> {
  try {
    await spend();
    return false;
  } catch (error) {
    if (error instanceof DomainError && error.code === "too_many_requests") return true;
    throw error;
  }
}
