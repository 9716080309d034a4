import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import {
  asEdit,
  factsOf,
  type ReportEdited,
  textsAround,
} from "#contracts/events/report/report-edited.ts";
import { withTextsAt } from "#contracts/events/report/report-texts.ts";
import { evolveTimedQuestions, openQuestion } from "#contracts/events/report/reporter-questions.ts";
import { evolveResolution } from "#contracts/events/report/resolution.ts";
import type {
  ReporterAddressCorrected,
  ReportSubmitted,
} from "#contracts/events/report/stored-report.ts";
import { rejectionText } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { DeletionRequestColumn } from "#read-model/tables/report.ts";
import { waitBucket } from "#read-model/wait-buckets.ts";
import { identifierKeys } from "#search/matching.ts";
import type { ReadModel } from "../../keyed/read-model.ts";
import type { Count, TallyTable } from "../../keyed/tallies.ts";
import { accountOfActor, reportOf } from "../../streams.ts";
import {
  addHold,
  blankRow,
  changesOf,
  forgetReporter,
  type ReportRow,
  removeHold,
  takeClear,
  takeEvidence,
  takePersonal,
  takeReporter,
} from "./report-row.ts";

/** Reports of every status. A deleted one's row is set aside until that is undone; an erased one has no row. */
export const reports: ReadModel<ReportRow, ReportEvent["type"]> = {
  table: {
    name: "report",
    key: "id",
    lists: ["match_keys"],
    aside: { name: "hidden_report", holds: ({ deletion }) => deletion !== undefined },
  },
  // Every event sets the time and revision.
  handles: undefined,
  keyOf: ({ stream }) => reportOf(stream),
  evolve(row, { key, event, stored }) {
    const next =
      event.type === "ReportSubmitted" ? submitted(key, event.data, stored) : row && { ...row };
    if (!next || event.type === "ReportErased") return undefined;
    const { rejection_reason = null, rejection_code, ...facts } = factsOf(event);
    Object.assign(next, facts);
    if (rejection_code !== undefined)
      next.rejection_reason = rejectionText(rejection_reason, rejection_code);
    if (facts.blind) next.match_keys = identifierKeys(facts.blind);
    const resolution = evolveResolution(next.resolution, event);
    if (resolution !== next.resolution) {
      next.resolution = resolution;
      // Masking a text of the request is not a step of it.
      if (event.type !== "ReportTextMasked") next.resolution_at = stored.metadata.time;
    }
    // The public and the owner see this time, and only moderators may learn of a note.
    if (event.type !== "ModeratorNoteWritten") next.updated_at = stored.metadata.time;
    next.revision = stored.revision;
    next.position = stored.position;
    takeWait(next, row, event, stored.metadata.time);
    next.questions = evolveTimedQuestions(next.questions, event, stored.metadata.time);
    next.asked_until = openQuestion(next.questions)?.expires_at ?? null;
    switch (event.type) {
      case "ReportEdited":
        return edit(next, event.data);
      case "ReportTextMasked": {
        const { moderator_notes } = withTextsAt(next, textsAround(event.data));
        return edit({ ...next, moderator_notes }, asEdit(event.data));
      }
      case "ReportRejected":
        return event.data.personal === null ? undefined : next;
      case "ReportApproved":
        // An approval that is in force again is not a new one.
        if (!event.data.undoes) next.approved_at = stored.metadata.time;
        return next;
      case "ReportTakenDown":
        next.holds = addHold(next.holds, event.data.notice_id, stored.metadata.time);
        next.decided_at = null;
        return next;
      case "ReportPutBack": {
        const { notice_id, to } = event.data;
        next.holds = removeHold(next.holds, notice_id);
        // The earlier decision is in force again; there is no new one.
        if (to === "approved") next.decided_at = next.approved_at;
        return event.data.personal === null ? undefined : next;
      }
      case "ReporterAsked":
        next.answered_at = null;
        return event.data.personal === null ? undefined : next;
      case "ModeratorNoteWritten": {
        if (!event.data.personal) return undefined;
        const { time, actor } = stored.metadata;
        const written = { note: event.data.personal.note, at: time, by: actor.id };
        next.moderator_notes = [...next.moderator_notes, written];
        return next;
      }
      case "ReporterAnswered":
        next.answered_at = stored.metadata.time;
        return next;
      case "ReportVerifiedByLink":
      case "ReportVerifiedByAccount":
        next.address_confirmed = true;
        return next;
      case "ReporterAddressCorrected":
        return correctAddress(next, event.data);
      case "ReportVerificationWithdrawn":
        next.address_confirmed = false;
        return next;
      case "ReportClaimed":
        next.owner_id = event.data.account_id;
        next.owned_since = stored.position;
        return next;
      case "ReportDisowned":
        // What an account submitted can't be claimed, so it keeps its owner, but it is on none of their lists.
        if (event.data.cause === "address_change_undone") next.owner_id = null;
        next.owned_since = null;
        return next;
      case "EvidenceAdded":
      case "EvidencePublished":
      case "EvidenceHidden":
      case "EvidenceDeleted":
      case "EvidenceErased":
      case "EvidenceWithheld":
      case "EvidenceReleased":
        return takeEvidence(next, event, stored.metadata.time);
      case "ReporterErased":
        forgetReporter(next);
        return next;
      case "ReportDeletionRequested":
        next.deletion_request = askedBy(event.data, stored);
        return next;
      case "ReportDeleted":
        next.deletion_request = null;
        next.deletion = { ...askedBy(event.data, stored), erase_at: event.data.erase_at };
        return next;
      case "ReportDeletionUndone":
        next.deletion_request = null;
        delete next.deletion;
        return next;
      default:
        return next;
    }
  },
  figuresOf,
};

function askedBy(
  { reason_code }: { readonly reason_code: string },
  { metadata }: StoredEvent,
): DeletionRequestColumn {
  return { by: metadata.actor.id, at: metadata.time, reason_code };
}

/** When the last question was answered; null if that was before the report began to wait. */
function answerOf({ questions, waiting_since }: ReportRow): string | null {
  const { state, ended_at } = questions.at(-1) ?? {};
  return state === "answered" && ended_at && Date.parse(ended_at) > Date.parse(waiting_since)
    ? ended_at
    : null;
}

function submitted(
  id: string,
  data: OpenData<typeof ReportSubmitted>,
  { metadata, position }: StoredEvent,
): ReportRow | undefined {
  const { personal, reporter } = data;
  if (!personal) return undefined;
  const row = blankRow(id, data.report_type);
  row.origin = metadata.origin;
  row.created_at = metadata.time;
  row.waiting_since = metadata.time;
  takeClear(row, data.report);
  takePersonal(row, personal.report);
  if (!reporter) return row;
  takeReporter(row, reporter.report);
  row.owner_id = accountOfActor(metadata.actor) ?? null;
  row.owned_since = row.owner_id && position;
  row.reporter_blind = reporter.blind.email;
  return row;
}

/** Formats a time as events do; the database's own format, in a row that was read, differs. */
const asStored = (time: string) => new Date(time).toISOString();

/** A decision reverted within this time was a slip: the report keeps waiting as before. */
const SLIP_MS = 60_000;

/** Sets since when the report waits, when that ended, and when it was decided. An undo restores all of these. */
function takeWait(
  next: ReportRow,
  before: Readonly<ReportRow> | undefined,
  event: ReportEvent,
  time: string,
): void {
  const isSetBack = event.type === "ReportStatusSet";
  if (!isSetBack && event.type !== "ReportApproved" && event.type !== "ReportRejected") return;
  const { waiting_since, settled_at, decided_at, answered_at } = next;
  next.before_decision = {
    waiting_since: asStored(waiting_since),
    settled_at: settled_at && asStored(settled_at),
    decided_at: decided_at && asStored(decided_at),
    answered_at: answered_at && asStored(answered_at),
  };
  if (event.data.undoes) {
    Object.assign(next, before?.before_decision);
    return;
  }
  next.decided_at = isSetBack ? null : time;
  next.settled_at = isSetBack ? null : (settled_at ?? time);
  if (!isSetBack) next.answered_at = null;
  if (!isSetBack || !settled_at) return;
  if (Date.parse(time) - Date.parse(settled_at) > SLIP_MS) next.waiting_since = time;
  // If it is set back soon, the report waits as before; putting it under review never ended that.
  next.answered_at = answerOf(next);
}

function correctAddress(
  row: ReportRow,
  { reporter }: OpenData<typeof ReporterAddressCorrected>,
): ReportRow {
  if (!reporter) forgetReporter(row);
  else takeReporter(row, { reporter_email: reporter.email });
  row.reporter_blind = reporter?.blind.email ?? null;
  row.address_confirmed = false;
  return row;
}

/** Applies an edit; returns undefined once the personal data is erased. */
function edit(row: ReportRow, data: OpenData<typeof ReportEdited>): ReportRow | undefined {
  const { personal, reporter } = data;
  if (personal === null) return undefined;
  if (reporter === null) forgetReporter(row);
  takeClear(row, changesOf(data));
  if (reporter) takeReporter(row, changesOf(reporter));
  if (data.fields.includes("reporter_email")) {
    row.reporter_blind = reporter?.blind?.email ?? null;
    row.address_confirmed = false;
  }
  if (personal) takePersonal(row, changesOf(personal));
  return row;
}

const STATUS: TallyTable = {
  name: "figure_status",
  keys: ["status", "currency"],
  sums: ["reports", "owed_cents"],
};
const LISTED: TallyTable = {
  name: "figure_listed",
  keys: ["status", "report_type", "verified"],
  sums: ["reports"],
};
const DAY: TallyTable = {
  name: "figure_day",
  keys: ["day", "currency"],
  sums: ["submitted", "submitted_cents", "approved", "approved_cents", "rejected"],
};
const WAIT: TallyTable = { name: "figure_wait", keys: ["day", "bucket"], sums: ["reports"] };
const REPORTER_DAY: TallyTable = {
  name: "figure_reporter_day",
  keys: ["reporter", "day", "currency"],
  sums: ["reports", "approved", "owed_cents"],
};
const REPORTER: TallyTable = { name: "figure_reporter", keys: ["reporter"], sums: ["reports"] };

/** What a report adds to the tallies. It depends on the report's current state; a deleted one adds nothing. */
export function figuresOf(row: ReportRow): Count[] {
  if (row.deletion) return [];
  const { status, currency, report_type, verified } = row;
  const owed = row.total_due_cents;
  const approved = status === "approved" ? 1 : 0;
  const day = dayOf(row.created_at);
  const counts: Count[] = [
    { tally: STATUS, key: [status, currency], sums: [1, owed] },
    { tally: LISTED, key: [status, report_type, verified], sums: [1] },
    { tally: DAY, key: [day, currency], sums: [1, owed, 0, 0, 0] },
  ];
  if (row.settled_at !== null) {
    const settled = dayOf(row.settled_at);
    const sums = [0, 0, approved, approved ? owed : 0, 1 - approved];
    const waited = Date.parse(row.settled_at) - Date.parse(row.waiting_since);
    counts.push({ tally: DAY, key: [settled, currency], sums });
    counts.push({ tally: WAIT, key: [settled, waitBucket(waited)], sums: [1] });
  }
  const reporter = reporterOf(row);
  if (reporter && (verified || approved)) {
    counts.push({ tally: REPORTER_DAY, key: [reporter, day, currency], sums: [1, approved, owed] });
    counts.push({ tally: REPORTER, key: [reporter], sums: [1] });
  }
  return counts;
}

/** Returns who sent it, if known: the account, else the address by its blind index. */
function reporterOf({ owner_id, reporter_blind }: ReportRow): string | undefined {
  if (owner_id) return `account:${owner_id}`;
  return reporter_blind ? `address:${reporter_blind}` : undefined;
}

/** Returns the day in UTC, whatever the time's offset. */
function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}
