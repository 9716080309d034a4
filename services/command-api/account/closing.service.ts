import { type Caller, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import type { AccountEraser } from "./account.eraser.ts";
import type { AccountStore } from "./account.store.ts";
import type { CredentialChanges } from "./credential-changes.ts";
import { ownSession } from "./own-session.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "closed">;
  readonly changes: CredentialChanges;
  readonly eraser: Pick<AccountEraser, "eraseDue">;
}

/** Ids that are read at once. */
const PAGE = 500;

/** Owners who delete their accounts: closed at once, erased soon after. */
export class ClosingService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Closes the account: nobody signs in to it any more, and all of its sessions end.
   * @returns the position of the event.
   * @throws {DomainError} `staff_account`, `invalid_token`
   */
  async close(caller: Caller): Promise<string> {
    const { changes, handler } = this.#deps;
    const own = await ownSession(handler, caller);
    const change = { accountId: caller.actor.id, closes: true };
    const outcome = await changes.make({ type: "CloseAccount", own }, change, caller);
    if (!outcome) throw sessionOver();
    return outcome.position;
  }

  /** Erases the closed accounts whose time has come. */
  async eraseDue(nowMs: number): Promise<void> {
    const { accounts, eraser, handler } = this.#deps;
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
