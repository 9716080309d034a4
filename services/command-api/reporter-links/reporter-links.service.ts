import { type ReportEvent, streams } from "#contracts/events/index.ts";
import {
  evolveTimedQuestions,
  type TimedQuestion,
} from "#contracts/events/report/reporter-questions.ts";
import type { AskedQuestion, ReportProgress } from "#contracts/http/unsubscribe.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { ReportLinks } from "#vault/links/one-time-link.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { linkInvalid } from "../report/report.decider.ts";
import type { ReportOutcome, ReportService } from "../report/report.service.ts";
import { reportAfter, reportProgress, type TimedEvent } from "./report-progress.ts";

interface Deps extends StreamDeps {
  readonly reports: Pick<ReportService, "execute">;
  readonly reportLinks: ReportLinks;
}

/** What reporters do by the links of their mails, without an account. */
export class ReporterLinksService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * How far a report is. It is read from the log, so it is never older than the mail that led here.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid`, alike for a token that was made up, for one that was mailed to
   *   a former address, and once the report or its reporter is erased.
   */
  async progress(token: string, now: string): Promise<ReportProgress> {
    const link = this.#deps.reportLinks.readStatusToken(token, now);
    if (!link) throw linkInvalid();
    const events = await this.#read(link.id);
    const state = reportAfter(events);
    if (!state?.reporter || !state.personal) throw linkInvalid();
    const { status } = state;
    if (status === "deleted" || !link.isFor(state.reporter.reporter_email)) throw linkInvalid();
    return reportProgress(link.id, events, { ...state, status }, now);
  }

  /**
   * A moderator's question.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid`, as for `progress`.
   */
  async question(token: string, now: string): Promise<AskedQuestion> {
    const link = this.#deps.reportLinks.readQuestionToken(token, now);
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

  /**
   * Takes the answer to a question.
   * @throws {DomainError} `link_invalid`, as for `question`; `question_closed`.
   */
  async answer(
    token: string,
    answer: string,
    envelope: (reportId: string) => CommandEnvelope,
    now: string,
  ): Promise<ReportOutcome> {
    const link = this.#deps.reportLinks.readQuestionToken(token, now);
    if (!link) throw linkInvalid();
    const { id, questionId } = link;
    const command = { type: "AnswerQuestion", questionId, answer } as const;
    return this.#deps.reports.execute(id, command, envelope(id));
  }

  async #read(id: string): Promise<TimedEvent[]> {
    const { store, keys, codec } = this.#deps;
    const stored: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(id))) stored.push(event);
    const found = await keys.get(codec.subjectsOf(stored));
    return stored.map((each) => ({
      event: codec.openEvent(each, found) as ReportEvent,
      at: each.metadata.time,
    }));
  }
}
