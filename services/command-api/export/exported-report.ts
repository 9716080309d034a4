import type { ReportEvent } from "#contracts/events/index.ts";
import {
  evolveTimedQuestions,
  type TimedQuestion,
} from "#contracts/events/report/question-fold.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import { given } from "#contracts/given.ts";
import type { ExportedReport } from "#contracts/http/account-export.ts";
import { rejectionWords } from "#contracts/report/words.ts";
import type { OpenedStream } from "./opened-stream.ts";

/**
 * A report as its owner submitted it, and what became of it.
 * @returns undefined for one that was never submitted, or whose reporter was erased: it is nobody's.
 */
export function exportedReport(
  id: string,
  { events }: OpenedStream<ReportEvent>,
): ExportedReport | undefined {
  let submitted: ReportState | undefined;
  let state: ReportState | undefined;
  let questions: readonly TimedQuestion[] = [];
  const decisions: { status: ReportState["status"]; at: string }[] = [];
  for (const { event, stored } of events) {
    const before = state?.status;
    state = evolveReport(state, event);
    questions = evolveTimedQuestions(questions, event, stored.metadata.time);
    submitted ??= state;
    if (before && before !== state.status)
      decisions.push({ status: state.status, at: stored.metadata.time });
  }
  const [first] = events;
  if (!state || !submitted || !first || state.reporter_erased) return undefined;
  const { status, verified, terms_version, rejection_reason, rejection_code } = state;
  return {
    id,
    submitted_at: first.stored.metadata.time,
    status,
    verified,
    decisions,
    ...given({ rejection_reason: rejectionWords(rejection_reason, rejection_code) }),
    questions: questions.map(({ asked_at, question, state, ended_at, answer }) => ({
      asked_at,
      ...given({ question, answered_at: state === "answered" ? ended_at : undefined, answer }),
    })),
    terms_version,
    // A key may be destroyed before the log says that the report is deleted.
    ...(status === "deleted" || !submitted.personal ? {} : { report: toWire(submitted) }),
  };
}
