import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import {
  evolveTimedQuestions,
  type TimedQuestion,
} from "#contracts/events/report/reporter-questions.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { ExportedFile, ExportedReport } from "#contracts/http/account-export.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { rejectionText } from "#contracts/report/words.ts";
import { reportOfReporterKey, subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type OpenedStream, openStream, type StreamDeps } from "#vault/open-stream.ts";
import type { Step } from "./export-page.ts";
import type { AccountPast } from "./exported-account.ts";
import { ownKey, placeOf } from "./exported-place.ts";

const PAGE = 100;

interface Deps extends StreamDeps {
  readonly keys: Pick<KeyStore, "get" | "ownedBy">;
}

/** Reports that the account submitted or claimed, by ID. @param after ID of the previous report; empty for all. */
export async function* exportedReports(
  past: AccountPast,
  after: string,
  deps: Deps,
): AsyncGenerator<Step<ExportedReport>> {
  // Reporter keys share a prefix, so they are adjacent in subject order.
  let last = subjects.reporter(after);
  for (let size = PAGE; size === PAGE; ) {
    const found = await deps.keys.ownedBy(past.id, { after: last, limit: PAGE });
    for (const subject of found) {
      const id = reportOfReporterKey(subject);
      if (id) yield { cursor: id, item: await ownReport(id, past, deps) };
      last = subject;
    }
    size = found.length;
  }
}

/** @returns undefined for a report that is listed with the account but isn't its own. */
async function ownReport(
  id: string,
  past: AccountPast,
  deps: Deps,
): Promise<ExportedReport | undefined> {
  const stream = await openStream<ReportEvent>(streams.report(id), deps, ownKey(past));
  const [first] = stream.events;
  const last = stream.events.findLast(
    ({ event: { type } }) => type === "ReportClaimed" || type === "ReportDisowned",
  )?.event;
  const isClaimed = last?.type === "ReportClaimed" && last.data.account_id === past.id;
  const isSubmitted = last === undefined && first && first.stored.position > past.since;
  return isClaimed || isSubmitted ? exportedReport(id, stream, past) : undefined;
}

/** A report as submitted, with its outcome and files. @returns undefined without a submission or reporter. */
export function exportedReport(
  id: string,
  { events, keys }: OpenedStream<ReportEvent>,
  past: AccountPast,
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
  const from = placeOf(first.stored, past, keys);
  return {
    id,
    submitted_at: first.stored.metadata.time,
    ...(Object.keys(from).length > 0 ? { submitted_from: from } : {}),
    status,
    verified,
    decisions,
    ...omitUndefined({ rejection_reason: rejectionText(rejection_reason, rejection_code) }),
    questions: questions.map(({ asked_at, question, state, ended_at, answer }) => ({
      asked_at,
      ...omitUndefined({
        question,
        answered_at: state === "answered" ? ended_at : undefined,
        answer,
      }),
    })),
    terms_version,
    // A key may be destroyed before the log records the deletion.
    ...(status === "deleted" || !submitted.personal ? {} : { report: toWire(submitted) }),
    files: status === "deleted" ? [] : ownFiles(events, state, past.id),
  };
}

/** The readable files that the account itself added; see {@link isOwnFile}. */
function ownFiles(
  events: OpenedStream<ReportEvent>["events"],
  state: ReportState,
  accountId: string,
): ExportedFile[] {
  return state.evidence.flatMap(({ file_id, kind, type, personal, erased }) => {
    const added = events.find(({ stored }) => isOwnFile(stored, file_id, accountId))?.stored;
    if (!added || !personal || erased) return [];
    const { name, bytes } = personal;
    return [{ file_id, kind, added_at: added.metadata.time, name, type, bytes }];
  });
}

/** Whether this event is the account adding the file; a claimed report also has files from others. */
export function isOwnFile(
  { type, data, metadata }: StoredEvent,
  fileId: string,
  accountId: string,
): boolean {
  return type === "EvidenceAdded" && data.file_id === fileId && metadata.actor.id === accountId;
}
