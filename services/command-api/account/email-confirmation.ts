import { PASSWORD_DIFFERS } from "#contracts/account/account-words.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { confirmationInvalid } from "./registration.decider.ts";
import { ownSession } from "./session-start.ts";

/** Accounts that may have replaced one another before a link of the first one is opened. */
const SUCCESSORS = 100;

/** What came with a link, where its account's session did not. */
export interface ConfirmedBy {
  /** The one that was chosen at registration. */
  readonly password?: string | undefined;
  readonly startsOver?: boolean | undefined;
}

export interface Confirmed {
  readonly position: string;
  /** To set a password, where the former one is void. */
  readonly resetToken: string | undefined;
}

/** Confirms the addresses of accounts by the links of emails. */
export class EmailConfirmation extends Service<
  Pick<Dependencies, "handler" | "credentials" | "proof" | "eraser" | "links">
> {
  /**
   * @param envelope by the account.
   * @returns undefined for a token that is none of these.
   * @throws {DomainError} `link_invalid` for one that was used or is void; `password_required`,
   *   `wrong_password`, `too_many_requests`.
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
    // Reports that were submitted before belong to no one, nor do the keys of their reporters.
    if (!own) await eraser.disown(accountId, outcome.position);
    const resetToken = own
      ? undefined
      : await answeredResetToken(accountId, outcome.state, this.deps);
    return { position: outcome.position, resetToken };
  }

  /** The password's owner acts like a session that began when the password was compared. */
  async #provedBy(password: string | undefined, accountId: string, caller: Caller) {
    if (password === undefined) return undefined;
    const { credentials, proof } = this.deps;
    const { account, revision } = await credentials.at(accountId);
    if (!account) throw confirmationInvalid();
    const wrong = { field: "password", message: PASSWORD_DIFFERS };
    await proof.check(account, password, caller, wrong);
    return { id: "", accountRevision: revision };
  }

  /** The account, or its successor at the address. @throws {DomainError} `link_invalid` where there is none. */
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

  /** Whether the account was registered at the address that the other one left. */
  async #isSuccessor(id: string, replaced: string): Promise<boolean> {
    const { handler } = this.deps;
    const [first, end] = await Promise.all([
      handler.first(accountAggregate(id)),
      handler.lastOf(accountAggregate(replaced), "AccountReplaced"),
    ]);
    return !!first && !!end && first.position > end.position;
  }

  /** The address at which the account was registered; null once its key is destroyed. */
  async #addressOf(id: string): Promise<{ readonly email: string | null }> {
    const first = await this.deps.handler.loadFirst(accountAggregate(id));
    return { email: first?.profile?.email ?? null };
  }
}

/** The token to set a password that an answer gives. @param state after the command, which may be a repeat. */
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
