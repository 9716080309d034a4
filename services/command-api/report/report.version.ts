import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import { noRevision } from "./report.restore.ts";

/** Returns a report as of a revision. @throws {DomainError} `not_found` @throws {KeyMissing} */
export async function reportAt(
  id: string,
  revision: number,
  deps: StreamDeps,
): Promise<ReportState> {
  const limit = revision + 1;
  const { events } = await openStream<ReportEvent>(streams.report(id), deps, { limit });
  if (events.at(-1)?.stored.revision !== revision) throw noRevision(revision);
  return events.reduce<ReportState | undefined>(
    (state, { event }) => evolveReport(state, event),
    undefined,
  ) as ReportState;
}
