import { type ReportEvent, streams } from "#contracts/events/index.ts";
import type { ExportedReport } from "#contracts/http/account-export.ts";
import { reportOfReporterKey, subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { Step } from "./export-page.ts";
import type { AccountPast } from "./exported-account.ts";
import { exportedReport } from "./exported-report.ts";
import { openStream, type StreamDeps } from "./opened-stream.ts";

/** Keys that are listed at a time. */
const PAGE = 100;

interface Deps extends StreamDeps {
  readonly keys: Pick<KeyStore, "get" | "ownedBy">;
}

/**
 * The reports that the account submitted or claimed, in the order of their ids.
 * @param after id of the report before; empty for all.
 */
export async function* exportedReports(
  past: AccountPast,
  after: string,
  deps: Deps,
): AsyncGenerator<Step<ExportedReport>> {
  // Keys of reporters stand together, in the order of their subjects.
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

/** @returns undefined for one that is listed with the account, but not its own. */
async function ownReport(
  id: string,
  past: AccountPast,
  deps: Deps,
): Promise<ExportedReport | undefined> {
  const stream = await openStream<ReportEvent>(streams.report(id), past.id, deps);
  const [first] = stream.events;
  const last = stream.events.findLast(
    ({ event: { type } }) => type === "ReportClaimed" || type === "ReportDisowned",
  )?.event;
  const isClaimed = last?.type === "ReportClaimed" && last.data.account_id === past.id;
  const isSubmitted = last === undefined && first && first.stored.position > past.since;
  return isClaimed || isSubmitted ? exportedReport(id, stream, past) : undefined;
}
