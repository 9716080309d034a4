import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";

/**
 * Staff do not decide about what their own account sent or claimed.
 * @throws {DomainError} `forbidden`
 */
export async function refuseOwnAccount(
  handler: Pick<CommandHandler, "first">,
  reportId: string,
  report: ReportState | undefined,
  account: string,
): Promise<void> {
  if (!(await ownAccountSent(handler, reportId, report, account))) return;
  throw new DomainError(
    "forbidden",
    "Your own account sent this report: somebody else must decide about it.",
  );
}

/** Whether the account sent or claimed the report. */
export async function ownAccountSent(
  handler: Pick<CommandHandler, "first">,
  reportId: string,
  report: ReportState | undefined,
  account: string,
): Promise<boolean> {
  const first = await handler.first(reportAggregate(reportId));
  return first?.metadata.actor.id === account || report?.claimed_by === account;
}
