import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { readAccount } from "../export/exported-account.ts";
import type { StreamDeps } from "../export/opened-stream.ts";

/**
 * Whether the account claimed the report, or submitted it and nothing was dropped since. A deleted
 * report is nobody's, nor is one whose reporter is erased.
 * @param first the report's first event. @param now the report with all events.
 */
export async function ownsReport(
  account: string,
  first: StoredEvent,
  now: ReportState,
  deps: StreamDeps,
): Promise<boolean> {
  if (now.status === "deleted" || !now.reporter || !now.personal) return false;
  if (now.claimed_by === account) return true;
  if (now.disowned || first.metadata.actor.id !== account) return false;
  return first.position > (await readAccount(account, deps)).since;
}
