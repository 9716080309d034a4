import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { type Caller, ownSubject } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import { accountAsInfringer } from "./account-as-infringer.ts";
import type { StrikeStore } from "./strike.store.ts";
import type { Suspension } from "./strike-rules.ts";
import { submissionRefused } from "./submission-refused.ts";

interface Deps {
  readonly handler: Pick<CommandHandler, "load">;
  readonly blind: BlindIndexer;
  readonly strikes: Pick<StrikeStore, "suspension">;
}

/** Whether anything is accepted from a repeat infringer now. Times are RFC 3339, UTC. */
export class Suspensions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Of an address that somebody typed. Only a mail to it may tell: anybody can type it. */
  ofAddress(email: string, now: string): Promise<Suspension | undefined> {
    const { blind, strikes } = this.#deps;
    return strikes.suspension({ blind: reporterBlindIndexes(email, blind).email }, now);
  }

  /** Of a report's present reporter. */
  async ofReport(
    { reporter, claimed_by }: Pick<ReportState, "reporter" | "claimed_by">,
    now: string,
  ): Promise<Suspension | undefined> {
    const { blind: index, strikes } = this.#deps;
    const blind = reporter ? reporterBlindIndexes(reporter.reporter_email, index).email : undefined;
    return strikes.suspension({ blind, accountId: claimed_by ?? undefined }, now);
  }

  /**
   * Tells an account that signed in about itself, and about no other address that it types.
   * @throws {DomainError} `submission_refused`
   */
  async refuseAccount(caller: Caller): Promise<void> {
    if (ownSubject(caller) === undefined) return;
    const { handler, blind, strikes } = this.#deps;
    const { id } = caller.actor;
    const account = (await handler.load(accountAggregate(id)))?.state;
    const of = account ? accountAsInfringer(id, account, blind) : { accountId: id };
    if (await strikes.suspension(of, caller.now)) throw submissionRefused();
  }
}
