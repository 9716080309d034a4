import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { requireOwnSession } from "../account/own-session.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { ownsReport } from "./owns-report.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { notFound } from "./report.claim.ts";

/**
 * A report of the caller's own, as it is now.
 * @throws {DomainError} `report_not_found` for everything that is not the caller's own report;
 *   `invalid_token`.
 */
export async function requireOwnReport(
  id: string,
  caller: Caller,
  deps: StreamDeps & { readonly handler: CommandHandler },
): Promise<ReportState> {
  const { handler } = deps;
  await requireOwnSession(handler, caller);
  const report = reportAggregate(id);
  const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
  const isOwn = first && loaded && (await ownsReport(caller.actor.id, first, loaded.state, deps));
  if (!isOwn) throw notFound();
  return loaded.state;
}
