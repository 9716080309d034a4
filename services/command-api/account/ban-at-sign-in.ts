import { DomainError } from "#contracts/domain-error.ts";
import type { Ban } from "#contracts/events/user/account-state.ts";
import { formatUtcMoment } from "#contracts/format-dates.ts";
import type { Hiding } from "#vault/erasures/erasure-ledger.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, systemCaller } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import { isReopenedBySignIn } from "./reopening.ts";
import { asOwner, type Checked, ownSession } from "./session-start.ts";

/** Refuses banned accounts that sign in with the right password. */
export class BanAtSignIn extends Service<
  Pick<Dependencies, "handler" | "accountModeration" | "supportEmail">
> {
  /**
   * Lifts an expired ban.
   * @returns the refusal; undefined if the ban has expired or there is none.
   */
  async refusal(id: string, { now }: Caller): Promise<DomainError | undefined> {
    const { handler, accountModeration, supportEmail } = this.deps;
    const ban = (await handler.load(accountAggregate(id)))?.state.banned;
    if (!ban) return undefined;
    if (ban.until !== undefined && ban.until <= now) {
      await accountModeration.endBan(id, Date.parse(now));
      return undefined;
    }
    return new DomainError("account_banned", sentenceOf(ban, supportEmail()));
  }
}

function sentenceOf(ban: Ban, supportEmail: string): string {
  const until = ban.until ? ` until ${formatUtcMoment(new Date(ban.until))} UTC` : "";
  const reason = ban.reason ? ` Reason: ${ban.reason}${/[.!?]$/.test(ban.reason) ? "" : "."}` : "";
  return `Your account is banned${until}.${reason} If you think this is a mistake, write to ${supportEmail}.`;
}

const WRONG_PASSWORD = {
  field: "password",
  message: "That password is incorrect. Your account was not deleted.",
};

const PAGE = 500;

/** Deletes accounts for their owners: closes them first, and erases them seven days later unless they sign in. */
export class ClosingService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "credentials" | "eraser" | "proof" | "codes">
> {
  /**
   * Closes the account and ends all of its sessions. Always requires the password, and a code if there is a second
   * factor, whatever the session has proved before.
   * @returns the position of the event, and when the account is erased, RFC 3339.
   * @throws {DomainError} `wrong_password`, `code_required`, `wrong_code`, `too_many_requests`; `staff_account`,
   *   `invalid_token`
   */
  async close(
    { password, code }: { readonly password: string; readonly code?: string | undefined },
    caller: Caller,
  ): Promise<{ readonly position: string; readonly eraseAt: string }> {
    const { accounts, credentials, codes, handler, proof } = this.deps;
    const accountId = caller.actor.id;
    const own = await ownSession(handler, caller);
    const account = await accounts.byId(accountId);
    if (!account) throw sessionOver();
    await proof.check(account, password, caller, WRONG_PASSWORD);
    await codes.demand(code, caller);
    const outcome = await credentials.make({ type: "CloseAccount", own }, { accountId }, caller);
    const { eraseAt } = outcome?.state?.closed ?? {};
    if (!outcome || !eraseAt) throw sessionOver();
    return { position: outcome.position, eraseAt };
  }

  /** Whether signing in with the right password reopens the account. */
  async isTakenBackBySignIn(id: string, now: string): Promise<boolean> {
    const state = (await this.deps.handler.load(accountAggregate(id)))?.state;
    return state !== undefined && isReopenedBySignIn(state, now);
  }

  /** Reopens an account for an owner who has shown its credentials. @returns undefined if it stays closed. */
  async takeBack(
    { account, revision }: Pick<Checked, "account" | "revision">,
    caller: Caller,
  ): Promise<Pick<Checked, "account" | "revision"> | undefined> {
    const { accounts, credentials } = this.deps;
    const { id: accountId } = account;
    const command = { type: "TakeBackAccount", accountRevision: revision } as const;
    const outcome = await credentials.make(command, { accountId }, asOwner(caller, account));
    const open = outcome && (await accounts.byId(accountId));
    return open && { account: open, revision: outcome.revision };
  }

  /** Closes or reopens an account in a restored log as the ledger of erasures says. */
  async restore(accountId: string, { erase_at, by_staff }: Hiding, caller: Caller): Promise<void> {
    const by = by_staff ? "admin" : "owner";
    const command = { type: "RestoreClosing", eraseAt: erase_at, by } as const;
    await this.deps.credentials.make(command, { accountId }, caller);
  }

  async eraseDue(nowMs: number): Promise<void> {
    const { accounts, eraser, handler } = this.deps;
    const caller = systemCaller(new Date(nowMs).toISOString());
    let page: readonly string[] = [];
    do {
      page = await accounts.closed(PAGE, page.at(-1));
      for (const id of page) {
        const eraseAt = (await handler.load(accountAggregate(id)))?.state?.closed?.eraseAt;
        if (eraseAt && Date.parse(eraseAt) <= nowMs) await eraser.eraseDue(id, caller);
      }
    } while (page.length === PAGE);
  }
}
