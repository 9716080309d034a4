import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import {
  AnswerOwnQuestion,
  type OpenedReport,
  OwnReportReply,
} from "#contracts/http/own-reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { rejectionText } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { OWNERS } from "#http/actor.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { requireOwnSession } from "../account/session-start.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { ownResolution } from "../resolution/resolution.service.ts";
import type { WriteSide } from "../write-side.ts";
import { compensateForOwner, ownsReport, requireOwnReport } from "./own-account.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { notFound } from "./report.claim.ts";
import { requireExisting } from "./report.decider.ts";
import type { ReportOutcome } from "./report.service.ts";

export const ANSWERED = "Thank you. Your report is back at the front of the queue.";
const Id = strict({ id: ReportId });

/** Routes for an account's own reports. */
export function ownReportRoutes(app: ServiceInstance, side: WriteSide): void {
  const ownReports = new OwnReportService(side);
  const claims = new ClaimService(side);
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/account/reports/:id/open", {
    roles: OWNERS,
    limit: "reveal",
    proof: true,
    summary: "Open your report as you submitted it; logged first",
    params: Id,
    body: strict({}),
    reply: OwnReportReply,
    async run(request) {
      const { id } = request.params;
      const envelope = request.envelope(id, {});
      const { opened, position } = await ownReports.open(id, envelope);
      return succeed(opened, { position });
    },
  });
  command("POST", "/prod/api/account/reports/:id/claim", {
    roles: OWNERS,
    limit: "write",
    summary: "Add a report submitted from your address to your account",
    params: Id,
    body: strict({}),
    reply: DoneReply,
    async run(request) {
      const { id } = request.params;
      const position = await claims.claim(id, request.envelope(id, {}));
      return done("The report is now in your account.", position);
    },
  });
  command("POST", "/prod/api/account/reports/:id/answer", {
    roles: OWNERS,
    limit: "write",
    bounds: ANSWER_BOUNDS,
    summary: "Answer a moderator's question about your report",
    params: Id,
    body: AnswerOwnQuestion,
    reply: DoneReply,
    async run(request) {
      const { params, body } = request;
      const envelope = request.envelope(params.id, body);
      const { position } = await ownReports.answer(params.id, body, envelope);
      return done(ANSWERED, position);
    },
  });
}

class ClaimService extends Service<Pick<WriteSide, "handler" | "keys" | "reports">> {
  /**
   * Claims a report for the account, based only on the log. The reporter's key is listed under the account after
   * the event, so that erasing the account erases the reporter; housekeeping repeats this if the process dies in
   * between.
   * @returns the position of the event; claiming again changes nothing.
   * @throws {DomainError} `report_not_found`, whatever the reason; `invalid_token`.
   */
  async claim(id: string, envelope: CommandEnvelope): Promise<string> {
    const { handler, keys, reports } = this.deps;
    const { caller } = envelope;
    const since = await requireOwnSession(handler, caller);
    const accountId = caller.actor.id;
    const account = (await handler.load(accountAggregate(accountId)))?.state;
    if (!account?.confirmed || account.closed || !account.profile) throw notFound();
    const { email } = account.profile;
    const first = (await handler.first(reportAggregate(id)))?.metadata;
    // Its own reports include those it lost when its address was confirmed without its password.
    const isVisitors =
      first?.origin === "live" && (first.actor.role === "visitor" || first.actor.id === accountId);
    const command = { type: "ClaimReport", accountId, email, isVisitors } as const;
    const { position } = await reports.execute(id, command, envelope);
    await keys.own(accountId, [subjects.reporter(id)]);
    const acquired = { reportId: id, accountId, since, lostBy: "EmailChangeUndone" } as const;
    await compensateForOwner(acquired, this.deps, caller);
    return position;
  }
}

class OwnReportService extends Service<
  StreamDeps & Pick<WriteSide, "handler" | "reports" | "takesCards" | "checkouts">
> {
  /** Opens a report as submitted; recorded first. @throws {DomainError} `report_not_found`, `invalid_token` */
  async open(
    id: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly opened: OpenedReport; readonly position: string }> {
    const { handler, checkouts, takesCards } = this.deps;
    const { caller } = envelope;
    await requireOwnSession(handler, caller);
    const report = reportAggregate(id);
    const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
    const isOwn =
      first && loaded && (await ownsReport(caller.actor.id, first, loaded.state, this.deps));
    const submitted = isOwn ? await handler.loadFirst(report) : undefined;
    const command = {
      type: "OpenOwnReport",
      reportId: id,
      report: submitted,
      revision: 0,
      withFiles: false,
    } as const;
    const access = accessAggregate(randomUUID(), id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    // Access is refused if either is missing.
    const [event, now] = [first as StoredEvent, requireExisting(loaded?.state)];
    const [then, present] = [toWire(requireExisting(submitted)), toWire(now)];
    const look = await checkouts.look(now, caller.now);
    const opened = {
      id,
      status: now.status,
      verified: now.verified,
      submitted_at: event.metadata.time,
      edited: JSON.stringify(then) !== JSON.stringify(present),
      report: then,
      ...omitUndefined({
        rejection_reason: rejectionText(now.rejection_reason, now.rejection_code),
        resolution: ownResolution(now, caller.now, takesCards, look),
      }),
    };
    return { opened, position };
  }

  /**
   * Accepts the owner's answer to a moderator's question; no link needed.
   * @throws {DomainError} `report_not_found`, also for someone else's report; `invalid_token`; `question_closed`.
   */
  async answer(
    id: string,
    { question_id: questionId, answer }: AnswerOwnQuestion,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { reports } = this.deps;
    const { caller } = envelope;
    await requireOwnReport(id, caller, this.deps);
    const command = { type: "AnswerQuestion", questionId, answer } as const;
    return reports.execute(id, command, envelope).catch((error: unknown) => {
      // This caller did not follow a link.
      throw error instanceof DomainError && error.code === "link_invalid"
        ? new DomainError("question_closed", "This question can no longer be answered")
        : error;
    });
  }
}
