import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { openQuestion } from "#contracts/events/report/reporter-questions.ts";
import { given } from "#contracts/given.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { LastDecision } from "./report.undo.ts";
import { reportAt } from "./report.version.ts";

const DECISIONS: ReadonlySet<string> = new Set<ReportEvent["type"]>([
  "ReportApproved",
  "ReportRejected",
]);

/**
 * The last decision on a report, unless something else has happened since. Notes among moderators do
 * not count.
 */
export async function lastDecision(
  id: string,
  deps: Parameters<typeof reportAt>[2],
): Promise<LastDecision | undefined> {
  const last = await lastChange(id, deps.store);
  if (!last || !DECISIONS.has(last.type)) return undefined;
  const { revision, data, metadata } = last;
  const before = await reportAt(id, revision - 1, deps);
  const question_id = openQuestion(before.questions)?.question_id;
  return {
    revision,
    from: data.from as ReportStatus,
    by: metadata.actor.id,
    at: metadata.time,
    ...given({ question_id }),
  };
}

async function lastChange(
  id: string,
  store: Pick<EventStore, "readStream">,
): Promise<StoredEvent | undefined> {
  const newestFirst = { direction: "backwards" } as const;
  for await (const event of store.readStream(streams.report(id), "end", newestFirst))
    if (event.type !== "ModeratorNoteWritten") return event;
  return undefined;
}
