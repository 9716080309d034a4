import { accountAggregate } from "../account/account.aggregate.ts";
import { type Caller, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "./report.service.ts";

/** Events that take reports from an account, and why. */
const CAUSES = {
  EmailConfirmed: "session_over",
  EmailChangeUndone: "address_change_undone",
} as const;

/** A report that has just become an account's. */
interface Acquired {
  readonly reportId: string;
  readonly accountId: string;
  /** Revision of the account before the report became its own. */
  readonly since: number;
  /** What takes such a report from the account again. */
  readonly takenBy: keyof typeof CAUSES;
}

/**
 * Compensates for what happened to an account while a report was becoming its own, in another stream:
 * whoever erased the account, or took it over, looked for its reports before this one was there.
 */
export async function followOwner(
  { reportId, accountId, since, takenBy }: Acquired,
  {
    handler,
    reports,
  }: { handler: CommandHandler; reports: Pick<ReportService, "execute" | "disown"> },
  { now }: Caller,
): Promise<void> {
  const account = accountAggregate(accountId);
  if ((await handler.lastRevision(account)) <= since) return;
  const caller = systemCaller(now);
  if ((await handler.load(account))?.state.over === "erased") {
    await reports.execute(reportId, { type: "EraseReporter" }, newEnvelope(caller));
    return;
  }
  const last = await handler.lastOf(account, takenBy);
  const isLater = last !== undefined && last.revision > since;
  if (isLater && (takenBy === "EmailChangeUndone" || last.data.dropped === true))
    await reports.disown(reportId, accountId, CAUSES[takenBy], caller);
}
