import {
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  type IPolicy,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import type { Logger } from "pino";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { type Caller, ownSubject } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import { accountAsInfringer, type Infringer, type StrikeStore } from "./strike.store.ts";
import { type Suspension, submissionRefused } from "./strike-rules.ts";

/** Timeout in milliseconds of a submission's query, and the pause between attempts while the table is unavailable. */
const SUBMIT_TIMEOUT_MS = 1_000;
const PAUSE_MS = 5_000;
/** Timeout in milliseconds for operations that can't proceed without an answer. */
const ANSWER_MS = 5_000;

const UNKNOWN = "We can't check this address right now. Nothing was changed. Please try again.";

interface Deps {
  readonly handler: Pick<CommandHandler, "load">;
  readonly blind: BlindIndexer;
  readonly strikes: Pick<StrikeStore, "suspension">;
  readonly log: Pick<Logger, "warn" | "error">;
}

interface Answer {
  readonly suspended: Suspension | undefined;
  /** Whether the table answered. */
  readonly isKnown: boolean;
}

/** Checks whether submissions of a repeat infringer are refused now. Times are RFC 3339, UTC. */
export class Suspensions {
  readonly #deps: Deps;
  readonly #patience: IPolicy;
  readonly #answer = timeout(ANSWER_MS, TimeoutStrategy.Aggressive);

  constructor(deps: Deps) {
    this.#deps = deps;
    const breaker = circuitBreaker(handleAll, {
      halfOpenAfter: PAUSE_MS,
      breaker: new ConsecutiveBreaker(1),
    });
    breaker.onBreak(() =>
      deps.log.warn("the strikes table is unavailable; accepting submissions without the check"),
    );
    this.#patience = wrap(breaker, timeout(SUBMIT_TIMEOUT_MS, TimeoutStrategy.Aggressive));
  }

  /** Checks an address that someone entered. Reveal the result only by email to it, since anyone can enter it. */
  ofAddress(email: string, now: string): Promise<Answer> {
    return this.#ofSubmitter({ blind: reporterBlindIndexes(email, this.#deps.blind).email }, now);
  }

  /**
   * Checks an address that staff assign to a report, and the report's account.
   * @throws {DomainError} `unavailable`
   */
  ofGivenAddress(
    email: string,
    report: Pick<ReportState, "claimed_by"> | undefined,
    now: string,
  ): Promise<Suspension | undefined> {
    const blind = reporterBlindIndexes(email, this.#deps.blind).email;
    return this.#known({ blind, accountId: report?.claimed_by ?? undefined }, now);
  }

  /** Checks a report's current reporter. @throws {DomainError} `unavailable` */
  async ofReport(
    { reporter, claimed_by }: Pick<ReportState, "reporter" | "claimed_by">,
    now: string,
  ): Promise<Suspension | undefined> {
    const { blind: index } = this.#deps;
    const blind = reporter ? reporterBlindIndexes(reporter.reporter_email, index).email : undefined;
    return this.#known({ blind, accountId: claimed_by ?? undefined }, now);
  }

  /** Refuses a suspended account; it only learns about itself. @throws {DomainError} `submission_refused` */
  async refuseAccount(caller: Caller): Promise<void> {
    if (ownSubject(caller) === undefined) return;
    const { handler, blind } = this.#deps;
    const { id } = caller.actor;
    const account = (await handler.load(accountAggregate(id)))?.state;
    const of = account ? accountAsInfringer(id, account, blind) : { accountId: id };
    if ((await this.#ofSubmitter(of, caller.now)).suspended) throw submissionRefused();
  }

  /**
   * Requires an answer, because nothing may be confirmed or published without one.
   * @throws {DomainError} `unavailable`
   */
  async #known(of: Infringer, now: string): Promise<Suspension | undefined> {
    try {
      return await this.#answer.execute(() => this.#deps.strikes.suspension(of, now));
    } catch (error) {
      this.#deps.log.error({ err: error }, "the strikes table is unavailable");
      throw new DomainError("unavailable", UNKNOWN);
    }
  }

  /** Unknown while the table is unavailable: confirming the address checks again, and requires an answer. */
  async #ofSubmitter(of: Infringer, now: string): Promise<Answer> {
    try {
      const asked = () => this.#deps.strikes.suspension(of, now);
      return { suspended: await this.#patience.execute(asked), isKnown: true };
    } catch {
      return { suspended: undefined, isKnown: false };
    }
  }
}
