import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { reportOfReporterKey, subjects } from "#contracts/sealed.ts";
import type { Position } from "#event-store/port.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { accountAggregate } from "./account.aggregate.ts";

/** Erases accounts. Every step is idempotent, because erasures in the log are followed too. */
export class AccountEraser extends Service<
  Pick<Dependencies, "handler" | "keys" | "accounts" | "reports">
> {
  /**
   * Erases an account of the role `user`: its key, its credentials and sessions, and the reporter's part of every
   * report that it submitted. The reports stay.
   * @returns how many of its reports still exist.
   * @throws {DomainError} `account_not_found`; `staff_account`, because the history must show who decided.
   */
  async erase(id: string, caller: Caller): Promise<number> {
    const account = accountAggregate(id);
    await this.deps.handler.execute(account, { type: "EraseAccount" }, newEnvelope(caller));
    return this.finish(id, caller);
  }

  /** Erases a closed account whose erasure is due. No-op if it has been reopened. */
  async eraseDue(id: string, caller: Caller): Promise<void> {
    const { handler } = this.deps;
    const command = { type: "EraseAccount", isDue: true } as const;
    const { state } = await handler.execute(accountAggregate(id), command, newEnvelope(caller));
    if (state?.over === "erased") await this.finish(id, caller);
  }

  /**
   * Completes the erasure after `AccountErased`.
   * @returns how many of its reports still exist.
   */
  async finish(id: string, caller: Caller): Promise<number> {
    const { keys, accounts } = this.deps;
    await keys.destroy([subjects.account(id)], caller.now);
    // From here on, no one can sign in or submit a report with the account.
    await accounts.remove(id);
    let reports = 0;
    for (const subject of await keys.ownedBy(id)) {
      const report = reportOfReporterKey(subject);
      if (report && (await this.#eraseReporter(report, caller))) reports += 1;
    }
    // A report being submitted right now has keys, but no stream yet in which to erase its reporter.
    await keys.destroyOwnedBy(id, caller.now);
    return reports;
  }

  /** Cleans up after `AccountReplaced` and `AccountExpired`. The account's reports become ownerless. */
  async abandon(id: string, now: string): Promise<void> {
    const { keys, accounts } = this.deps;
    // The credentials first: from here on, no one can sign in or submit a report with the account.
    await accounts.remove(id);
    await keys.destroy([subjects.account(id)], now);
    await keys.disown(id);
  }

  /**
   * Detaches the reports submitted before the address was confirmed. Idempotent.
   * @param before the position of the confirmation.
   */
  async disown(id: string, before: Position): Promise<void> {
    const { handler, keys } = this.deps;
    const former: string[] = [];
    for (const subject of await keys.ownedBy(id)) {
      const report = reportOfReporterKey(subject);
      const first = report && (await handler.first({ stream: streams.report(report) }));
      if (first && first.position < before && !(await this.#isClaimed(report, id)))
        former.push(subject);
    }
    if (former.length > 0) await keys.disown(id, former);
  }

  /** Detaches the reports that an account claimed between a change of address and its undo. Idempotent. */
  async disownUndone(id: string, caller: Caller): Promise<void> {
    const { handler, keys, reports } = this.deps;
    const undone = await undoneChanges(handler, id);
    if (undone.length === 0) return;
    for (const subject of await keys.ownedBy(id)) {
      const report = reportOfReporterKey(subject);
      if (!report || !(await this.#isClaimed(report, id))) continue;
      const claimed = await handler.lastOf({ stream: streams.report(report) }, "ReportClaimed");
      const isUndone = undone.some(
        ({ from, to }) => claimed && from < claimed.position && claimed.position < to,
      );
      if (isUndone) await reports.disown(report, id, "address_change_undone", caller);
    }
  }

  /** Whether the account claimed the report, which only a confirmed account can. */
  async #isClaimed(report: string, id: string): Promise<boolean> {
    return (await this.deps.handler.load(reportAggregate(report)))?.state.claimed_by === id;
  }

  /** @returns false if the report was never submitted or has been deleted. */
  async #eraseReporter(report: string, caller: Caller): Promise<boolean> {
    try {
      await this.deps.reports.execute(report, { type: "EraseReporter" }, newEnvelope(caller));
      return true;
    } catch (error) {
      const isGone =
        error instanceof DomainError && ["report_not_found", "report_deleted"].includes(error.code);
      if (isGone) return false;
      throw error;
    }
  }
}

/** Positions between which an account had an address that was then undone. */
export interface UndoneChange {
  readonly from: Position;
  readonly to: Position;
}

/** Returns the account's address changes that were undone. */
export async function undoneChanges(
  handler: Pick<CommandHandler, "stored">,
  accountId: string,
): Promise<readonly UndoneChange[]> {
  const changed = new Map<string, Position>();
  const undone: UndoneChange[] = [];
  for await (const { type, data, position: to } of handler.stored({
    stream: streams.user(accountId),
  })) {
    if (type === "EmailChanged") changed.set((data.undo_link as { link_id: string }).link_id, to);
    const from = type === "EmailChangeUndone" ? changed.get(String(data.link_id)) : undefined;
    if (from !== undefined) undone.push({ from, to });
  }
  return undone;
}
