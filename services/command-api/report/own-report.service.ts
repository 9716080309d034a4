import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { given } from "#contracts/given.ts";
import type { AnswerOwnQuestion, OpenedReport } from "#contracts/http/own-reports.ts";
import { rejectionWords } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import { requireOwnSession } from "../account/own-session.ts";
import type { CheckoutService } from "../checkout/checkout.service.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { ownResolution } from "../resolution/own-resolution.ts";
import { ownsReport } from "./owns-report.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { existing } from "./report.decider.ts";
import type { ReportOutcome, ReportService } from "./report.service.ts";
import { requireOwnReport } from "./require-own-report.ts";

interface Deps extends StreamDeps {
  readonly handler: CommandHandler;
  readonly reports: Pick<ReportService, "execute">;
  /** Whether the fee can be paid by card. */
  readonly takesCards: boolean;
  readonly checkouts: Pick<CheckoutService, "look">;
}

/** Opens reports for the accounts that they belong to, and takes what they answer about them. */
export class OwnReportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A report as it was submitted, without what moderators added to it. That somebody looks is
   * recorded first, on every call.
   * @throws {DomainError} `report_not_found`, also for somebody else's report; `invalid_token`.
   */
  async open(
    id: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly opened: OpenedReport; readonly position: string }> {
    const { handler, checkouts, takesCards } = this.#deps;
    const { caller } = envelope;
    await requireOwnSession(handler, caller);
    const report = reportAggregate(id);
    const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
    const isOwn =
      first && loaded && (await ownsReport(caller.actor.id, first, loaded.state, this.#deps));
    const submitted = isOwn ? await handler.loadFirst(report) : undefined;
    const command = {
      type: "OpenOwnReport",
      reportId: id,
      report: submitted,
      revision: 0,
    } as const;
    const access = accessAggregate(randomUUID(), id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    // Without them the access is refused.
    const [event, now] = [first as StoredEvent, existing(loaded?.state)];
    const [then, present] = [toWire(existing(submitted)), toWire(now)];
    const look = await checkouts.look(now, caller.now);
    const opened = {
      id,
      status: now.status,
      verified: now.verified,
      submitted_at: event.metadata.time,
      edited: JSON.stringify(then) !== JSON.stringify(present),
      report: then,
      ...given({
        rejection_reason: rejectionWords(now.rejection_reason, now.rejection_code),
        resolution: ownResolution(now, caller.now, takesCards, look),
      }),
    };
    return { opened, position };
  }

  /**
   * Takes the answer to a moderator's question from the report's owner, who needs no link for it.
   * @throws {DomainError} `report_not_found`, also for somebody else's report; `invalid_token`;
   *   `question_closed`.
   */
  async answer(
    id: string,
    { question_id: questionId, answer }: AnswerOwnQuestion,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { reports } = this.#deps;
    const { caller } = envelope;
    await requireOwnReport(id, caller, this.#deps);
    const command = { type: "AnswerQuestion", questionId, answer } as const;
    return reports.execute(id, command, envelope).catch((error: unknown) => {
      // Who answers here followed no link.
      throw error instanceof DomainError && error.code === "link_invalid"
        ? new DomainError("question_closed", "This question can be answered no longer")
        : error;
    });
  }
}
