import { PASSWORD_DIFFERS } from "#contracts/account/account-messages.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { confirmationInvalid } from "./registration.decider.ts";
import { ownSession } from "./session-start.ts";

/** Maximum number of replacements to follow from the account of a link. */
const SUCCESSORS = 100;

/** What comes with a link that is not opened in the account's session. */
export interface ConfirmedBy {
  /** The password chosen at registration. */
  readonly password?: string | undefined;
  readonly startsOver?: boolean | undefined;
}

export interface Confirmed {
  readonly position: string;
  /** To set a password, if the previous one is void. */
  readonly resetToken: string | undefined;
}

/** Confirms the addresses of accounts with emailed links. */
export class EmailConfirmation extends Service<
  Pick<Dependencies, "handler" | "credentials" | "proof" | "eraser" | "links">
> {
  /**
   * Confirms the address of a link's account.
   * @param envelope builds the envelope for an account.
   * @returns undefined if the token is not of this kind.
   * @throws {DomainError} `link_invalid` if the link was used or is void; `password_required`, `wrong_password`,
   *   `too_many_requests`.
   */
  async open(
    token: string,
    by: ConfirmedBy,
    envelope: (accountId: string) => CommandEnvelope,
    caller: Caller,
  ): Promise<Confirmed | undefined> {
    const { credentials, handler, eraser, links } = this.deps;
    const link = links.readToken(token, "confirm-account", caller.now);
    if (typeof link === "string") return undefined;
    const { linkId } = link;
    const accountId = await this.#presentAccount(link.aggregateId, linkId);
    const isOfReplaced = accountId !== link.aggregateId;
    const isOwn = !isOfReplaced && caller.actor.id === accountId;
    const own = isOwn
      ? await ownSession(handler, caller)
      : await this.#provedBy(by.password, accountId, caller);
    const command = {
      type: "ConfirmEmail",
      linkId,
      ...(isOfReplaced ? { ofReplaced: await this.#addressOf(link.aggregateId) } : {}),
      ...(own ? { own } : by.startsOver ? ({ startsOver: true } as const) : {}),
    } as const;
    const change = own ? { accountId } : { accountId, passwordHash: "", forgetsDevices: true };
    const outcome = await credentials.make(command, change, caller, envelope(accountId));
    if (!outcome) throw confirmationInvalid();
    // Detaches reports that were submitted before, and their reporters' keys.
    if (!own) await eraser.disown(accountId, outcome.position);
    const resetToken = own
      ? undefined
      : await answeredResetToken(accountId, outcome.state, this.deps);
    return { position: outcome.position, resetToken };
  }

  /** Treats the right password like a session that began when the password was verified. */
  async #provedBy(password: string | undefined, accountId: string, caller: Caller) {
    if (password === undefined) return undefined;
    const { credentials, proof } = this.deps;
    const { account, revision } = await credentials.at(accountId);
    if (!account) throw confirmationInvalid();
    const wrong = { field: "password", message: PASSWORD_DIFFERS };
    await proof.check(account, password, caller, wrong);
    return { id: "", accountRevision: revision };
  }

  /** Returns the account, or its successor at the address. @throws {DomainError} `link_invalid` if there is none. */
  async #presentAccount(id: string, linkId: string): Promise<string> {
    const { handler } = this.deps;
    let present = id;
    for (let n = 0; n < SUCCESSORS; n += 1) {
      const state = (await handler.load(accountAggregate(present)))?.state;
      if (!state?.replacedBy) return present;
      const isOpen = state.emailConfirmations.some(({ link_id }) => link_id === linkId);
      if (present === id && !isOpen) throw confirmationInvalid();
      if (!(await this.#isSuccessor(state.replacedBy, present))) throw confirmationInvalid();
      present = state.replacedBy;
    }
    throw confirmationInvalid();
  }

  /** Whether the account was registered after the other one gave up the address. */
  async #isSuccessor(id: string, replaced: string): Promise<boolean> {
    const { handler } = this.deps;
    const [first, end] = await Promise.all([
      handler.first(accountAggregate(id)),
      handler.lastOf(accountAggregate(replaced), "AccountReplaced"),
    ]);
    return !!first && !!end && first.position > end.position;
  }

  /** The address with which the account was registered; null once its key is destroyed. */
  async #addressOf(id: string): Promise<{ readonly email: string | null }> {
    const first = await this.deps.handler.loadFirst(accountAggregate(id));
    return { email: first?.profile?.email ?? null };
  }
}

/**
 * Makes the token to set a password for the response. Undefined if its link has been used since.
 * @param state after the command, which may be a repeat.
 */
export async function answeredResetToken(
  aggregateId: string,
  state: AccountState | undefined,
  { handler, links }: { readonly handler: CommandHandler; readonly links: OneTimeLinks },
): Promise<string | undefined> {
  const link = state?.passwordResets.findLast(({ delivery }) => delivery === "answer");
  const present = (await handler.load(accountAggregate(aggregateId)))?.state;
  const isOpen = present?.passwordResets.some(({ link_id }) => link_id === link?.link_id);
  if (!link || !isOpen) return undefined;
  const { link_id: linkId, expires_at: expiresAt } = link;
  return links.makeToken("reset-password", { aggregateId, linkId, expiresAt });
}
