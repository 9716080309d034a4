import type { Taken } from "#contracts/http/queue.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { OwnAccount } from "../report/own-account.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import type { QueueLeases } from "./queue-leases.store.ts";

interface Deps {
  readonly handler: Pick<CommandHandler, "load">;
  readonly own: Pick<OwnAccount, "concerns">;
  readonly leases: QueueLeases;
}

/** Hands reports of the queue out to moderators, each to one at a time. */
export class QueueService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Takes the first of the reports that is free and still waits for a decision. The list may be a little
   * old, since it was read from the read side.
   * @returns an empty object when none is.
   */
  async take(reportIds: readonly string[], caller: Caller): Promise<Taken> {
    const { actor, now } = caller;
    const { leases } = this.#deps;
    const holder = { accountId: actor.id, sessionId: actor.sessionId };
    for (const reportId of reportIds) {
      const until = await leases.take(reportId, holder, now);
      if (until === undefined) continue;
      if (await this.#waitsFor(caller, reportId)) return { taken: { report_id: reportId, until } };
      await leases.leave(reportId, actor.id);
    }
    return {};
  }

  /** Lets others have the report again. */
  async leave(reportId: string, { actor }: Caller): Promise<void> {
    await this.#deps.leases.leave(reportId, actor.id);
  }

  /** Ends the lease of a report that was decided, whoever had it. */
  async decided(reportId: string): Promise<void> {
    await this.#deps.leases.end(reportId);
  }

  /** Whether the report waits for a decision that this account may take. */
  async #waitsFor(caller: Caller, reportId: string): Promise<boolean> {
    const { handler, own } = this.#deps;
    const report = (await handler.load(reportAggregate(reportId)))?.state;
    if (report?.status !== "pending" && report?.status !== "under_review") return false;
    return !(await own.concerns(reportId, report, caller));
  }
}
