import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import {
  evolveTimedQuestions,
  type TimedQuestion,
} from "#contracts/events/report/reporter-questions.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import {
  AnswerQuestion,
  type AskedQuestion,
  AskedQuestionReply,
  CorrectAddress,
  ReadQuestion,
  ReadReportStatus,
  type ReportProgress,
  ReportProgressReply,
  type ReportStep,
  SHOWN_STEPS,
} from "#contracts/http/unsubscribe.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { rejectionText } from "#contracts/report/words.ts";
import { REPORTERS, ROLES } from "#http/actor.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createReportLinks, type ReportLinks } from "#vault/links/one-time-link.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { ANSWERED } from "../report/own-report.routes.ts";
import { linkInvalid } from "../report/report.decider.ts";
import type { ReportOutcome, ReportService } from "../report/report.service.ts";
import type { WriteSide } from "../write-side.ts";

/** Adds the routes for reporters without an account: with links from emails, and right after a submission. */
export async function reporterLinkRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { reports, blind } = side;
  const reportLinks = createReportLinks(await side.keys.liveKey("unsubscribe"), blind);
  const reporterLinks = new ReporterLinksService({ ...side, reportLinks });
  const command = commandsOf(app, "submitting");
  command("POST", "/prod/api/report-status", {
    roles: ROLES,
    limit: "report_link",
    summary: "A report's status, with the link from the email",
    body: ReadReportStatus,
    reply: ReportProgressReply,
    async run(request) {
      return succeed(await reporterLinks.progress(request.body.token, request.caller.now));
    },
  });
  command("POST", "/prod/api/report-question", {
    roles: ROLES,
    limit: "report_link",
    summary: "A moderator's question to the reporter, with the link from the email",
    body: ReadQuestion,
    reply: AskedQuestionReply,
    async run(request) {
      return succeed(await reporterLinks.question(request.body.token, request.caller.now));
    },
  });
  command("POST", "/prod/api/report-question/answer", {
    roles: ROLES,
    limit: "link",
    bounds: ANSWER_BOUNDS,
    summary: "Answer a moderator's question with the link from the email",
    body: AnswerQuestion,
    reply: DoneReply,
    async run(request) {
      const { token, answer } = request.body;
      const envelope = (id: string) => request.envelope(id, { answer });
      const { position } = await reporterLinks.answer(token, answer, envelope, request.caller.now);
      return done(ANSWERED, position);
    },
  });
  command("POST", "/prod/api/reports/:id/correct-address", {
    roles: REPORTERS,
    limit: "mail",
    summary: "Correct the address of a report you just submitted",
    params: strict({ id: ReportId }),
    body: CorrectAddress,
    reply: DoneReply,
    async run(request) {
      const { id } = request.params;
      const { token, email } = request.body;
      const envelope = request.envelope(id, { email });
      reports.requireCorrection(id, token, envelope.caller.now);
      await app.limits.byMailbox(request, "correct_mailbox", email);
      const { position } = await reports.correctAddress(id, email, envelope);
      return done(
        "Email corrected. We've sent a new link there. The previous link no longer works.",
        position,
      );
    },
  });
}

interface Deps extends StreamDeps {
  readonly reports: Pick<ReportService, "execute">;
  readonly reportLinks: ReportLinks;
}

class ReporterLinksService extends Service<Deps> {
  /**
   * Returns a report's progress, read from the log so that it is never older than the email with the link.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid`, the same for a forged token, one emailed to a previous address, and
   *   once the report or its reporter is erased.
   */
  async progress(token: string, now: string): Promise<ReportProgress> {
    const link = this.deps.reportLinks.readStatusToken(token, now);
    if (!link) throw linkInvalid();
    const events = await this.#read(link.id);
    const state = reportAfter(events);
    if (!state?.reporter || !state.personal) throw linkInvalid();
    const { status } = state;
    if (status === "deleted" || !link.isFor(state.reporter.reporter_email)) throw linkInvalid();
    return reportProgress(link.id, events, { ...state, status }, now);
  }

  /**
   * Returns a moderator's question.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid`, as for `progress`.
   */
  async question(token: string, now: string): Promise<AskedQuestion> {
    const link = this.deps.reportLinks.readQuestionToken(token, now);
    if (!link) throw linkInvalid();
    const events = await this.#read(link.id);
    const state = reportAfter(events);
    if (!state?.reporter || state.status === "deleted") throw linkInvalid();
    let questions: readonly TimedQuestion[] = [];
    for (const { event, at } of events) questions = evolveTimedQuestions(questions, event, at);
    const asked = questions.find(({ question_id }) => question_id === link.questionId);
    if (!asked?.question) throw linkInvalid();
    const { state: present, question, asked_at, expires_at } = asked;
    return {
      number: reportNumber(link.id),
      asked_at,
      expires_at,
      state: present,
      ...(present === "open" ? { question } : {}),
    };
  }

  /** Records the answer to a question. @throws {DomainError} `link_invalid`, as for `question`; `question_closed`. */
  async answer(
    token: string,
    answer: string,
    envelope: (reportId: string) => CommandEnvelope,
    now: string,
  ): Promise<ReportOutcome> {
    const link = this.deps.reportLinks.readQuestionToken(token, now);
    if (!link) throw linkInvalid();
    const { id, questionId } = link;
    const command = { type: "AnswerQuestion", questionId, answer } as const;
    return this.deps.reports.execute(id, command, envelope(id));
  }

  async #read(id: string): Promise<TimedEvent[]> {
    const { events } = await openStream<ReportEvent>(streams.report(id), this.deps);
    return events.map(({ event, stored }) => ({ event, at: stored.metadata.time }));
  }
}

interface TimedEvent {
  readonly event: ReportEvent;
  /** RFC 3339. */
  readonly at: string;
}

function reportAfter(events: readonly TimedEvent[]): ReportState | undefined {
  return events.reduce<ReportState | undefined>(
    (state, { event }) => evolveReport(state, event),
    undefined,
  );
}

/** A report's progress as shown to the person with the link, without undone decisions. @param now RFC 3339, UTC. */
function reportProgress(
  id: string,
  events: readonly TimedEvent[],
  state: ReportState & Pick<ReportProgress, "status">,
  now: string,
): ReportProgress {
  const undone = undoneIn(events);
  const steps = events.flatMap(({ event, at }, revision) => {
    const step = undone.has(revision) ? undefined : stepOf(event);
    return step ? [{ step, at }] : [];
  });
  const { status, verified, rejection_reason, rejection_code } = state;
  const reason = rejectionText(rejection_reason, rejection_code);
  return {
    number: reportNumber(id),
    status,
    verified,
    asked: state.questions.some((each) => each.state === "open" && each.expires_at > now),
    steps: [...steps.slice(0, 1), ...steps.slice(1).slice(1 - SHOWN_STEPS)],
    ...(state.address_confirmed ? omitUndefined({ reason }) : {}),
  };
}

/** Revisions of undone decisions. */
function undoneIn(events: readonly TimedEvent[]): ReadonlySet<number> {
  return new Set(
    events.flatMap(({ event }) =>
      "undoes" in event.data ? (event.data.undoes?.revision ?? []) : [],
    ),
  );
}

/** How an event appears to the reporter; undefined for events that only moderators see. */
function stepOf(event: ReportEvent): ReportStep | undefined {
  if ("undoes" in event.data && event.data.undoes) return undefined;
  switch (event.type) {
    case "ReportSubmitted":
      return "submitted";
    case "ReporterAddressCorrected":
      return "corrected";
    case "ReportEdited":
      return event.data.fields.includes("reporter_email") ? "corrected" : undefined;
    case "ReportVerifiedByLink":
    case "ReportVerifiedByAccount":
      return "confirmed";
    case "ReportVerifiedByHand":
      return "vouched";
    case "ReportVerificationWithdrawn":
      return "unconfirmed";
    case "ReportStatusSet":
      return event.data.to;
    case "ReportTakenDown":
      return "under_review";
    case "ReportPutBack":
      return event.data.to === "approved" ? "approved" : undefined;
    case "ReporterAsked":
      return "asked";
    case "ReporterAnswered":
      return "answered";
    case "ReporterQuestionWithdrawn":
      return "withdrawn";
    case "ReportApproved":
      return "approved";
    case "ReportRejected":
      return "rejected";
    default:
      return undefined;
  }
}
