import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import { type ReportProgress, type ReportStep, SHOWN_STEPS } from "#contracts/http/unsubscribe.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { rejectionWords } from "#contracts/report/words.ts";

/** An event of a report, opened, and when it happened, RFC 3339. */
export interface TimedEvent {
  readonly event: ReportEvent;
  readonly at: string;
}

/** The report after all of its events; undefined before the first. */
export function reportAfter(events: readonly TimedEvent[]): ReportState | undefined {
  return events.reduce<ReportState | undefined>(
    (state, { event }) => evolveReport(state, event),
    undefined,
  );
}

/**
 * How far a report is, for whoever opens its link. A decision that was undone is as if it had never been:
 * nobody was told of it.
 * @param events the whole stream.
 * @param now RFC 3339, UTC.
 */
export function reportProgress(
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
  const reason = rejectionWords(rejection_reason, rejection_code);
  return {
    number: reportNumber(id),
    status,
    verified,
    asked: state.questions.some((each) => each.state === "open" && each.expires_at > now),
    steps: [...steps.slice(0, 1), ...steps.slice(1).slice(1 - SHOWN_STEPS)],
    ...(state.address_confirmed ? given({ reason }) : {}),
  };
}

/** Revisions of the decisions that were taken back. */
function undoneIn(events: readonly TimedEvent[]): ReadonlySet<number> {
  return new Set(
    events.flatMap(({ event }) =>
      event.type === "ReportStatusSet" ? (event.data.undoes?.revision ?? []) : [],
    ),
  );
}

/** What an event is to the reporter; undefined for what only moderators know. */
function stepOf(event: ReportEvent): ReportStep | undefined {
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
      return event.data.undoes ? undefined : event.data.to;
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
