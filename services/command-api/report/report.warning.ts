import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAX_CORRECTIONS } from "#contracts/report/reporter-rules.ts";
import { VERIFICATION_TTL_MS } from "#contracts/report/words.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { Suspension } from "../strikes/strike-rules.ts";
import type { CommandOf, LiftReporterWarning, WarnReporter } from "./report.commands.ts";
import { linkInvalid, refuseVerified, requireExisting } from "./report.decider.ts";

/** Notifies the address that was entered, and only it, that nothing is accepted from it. */
export function heldBackEvents(suspended: Suspension | undefined): ReportEvent[] {
  return suspended
    ? [{ type: "SubmissionHeldBack", data: omitUndefined({ until: suspended.until }) }]
    : [];
}

/** Stops staff from moving a suspended address's report forward. @throws {DomainError} `reporter_suspended` */
export function refuseSuspended(suspended: Suspension | undefined): void {
  if (suspended)
    throw new DomainError(
      "reporter_suspended",
      "We currently don't accept reports from this reporter's address, because their reports infringed copyright.",
    );
}

/** Records that a notice counts against the report's reporter. Idempotent per notice. */
export function warnReporter(
  { warnings }: Pick<ReportState, "warnings">,
  { noticeId, step, strike, until, accountId, isCounted }: WarnReporter,
): ReportEvent[] {
  if (warnings.some(({ notice_id }) => notice_id === noticeId)) return [];
  const optional = omitUndefined({
    until,
    account_id: accountId,
    counted_before: isCounted ? (true as const) : undefined,
  });
  return [{ type: "ReporterWarned", data: { notice_id: noticeId, step, strike, ...optional } }];
}

/** Also applies to a deleted report: the warning of its account is lifted too. */
export function liftWarning(
  state: Pick<ReportState, "warnings"> | undefined,
  { noticeId: notice_id }: LiftReporterWarning,
): ReportEvent[] {
  const warned = state?.warnings.some((warning) => warning.notice_id === notice_id);
  return warned ? [{ type: "ReporterWarningLifted", data: { notice_id } }] : [];
}

type Correct = CommandOf<"CorrectReporterAddress">;

/** Changes the reporter's address while the current one is unconfirmed, using the token from the submission. */
export function correctAddress(
  state: ReportState | undefined,
  { email, reporterBlind, suspended }: Correct,
  moment: Moment,
): ReportEvent[] {
  const report = requireExisting(state);
  if (!report.reporter) throw linkInvalid();
  refuseVerified(report);
  if (report.corrections >= MAX_CORRECTIONS) {
    const message = `You've already corrected the address ${MAX_CORRECTIONS} times. Please write to us.`;
    throw new DomainError("corrections_used", message);
  }
  if (report.reporter.reporter_email.toLowerCase() === email.toLowerCase())
    throw refusalOf({ email: "We already sent the link to this address" });
  const link = linkFrom(moment, VERIFICATION_TTL_MS);
  const reporter = { email, blind: reporterBlind };
  return [
    { type: "ReporterAddressCorrected", data: { link, reporter } },
    ...heldBackEvents(suspended),
  ];
}
