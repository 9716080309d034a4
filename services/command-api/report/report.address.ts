import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { MOST_CORRECTIONS } from "#contracts/report/reporter-rules.ts";
import { VERIFICATION_TTL_MS } from "#contracts/report/words.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { existing, linkInvalid, refuseVerified } from "./report.decider.ts";
import { heldBack } from "./report.warning.ts";

type Correct = Extract<PreparedReportCommand, { type: "CorrectReporterAddress" }>;

/**
 * Decides that the report gets another address, while nobody has confirmed the present one. Whoever asks
 * holds the token of the submission's answer.
 */
export function correctAddress(
  state: ReportState | undefined,
  { email, reporterBlind, suspended }: Correct,
  moment: Moment,
): ReportEvent[] {
  const report = existing(state);
  if (!report.reporter) throw linkInvalid();
  refuseVerified(report);
  if (report.corrections >= MOST_CORRECTIONS) {
    const message = `You've already corrected the address ${MOST_CORRECTIONS} times. Please write to us.`;
    throw new DomainError("corrections_used", message);
  }
  if (report.reporter.reporter_email.toLowerCase() === email.toLowerCase()) {
    const sentence = "We already sent the link to this address";
    throw new DomainError("invalid_request", sentence, { email: sentence });
  }
  const link = linkFrom(moment, VERIFICATION_TTL_MS);
  const reporter = { email, blind: reporterBlind };
  return [{ type: "ReporterAddressCorrected", data: { link, reporter } }, ...heldBack(suspended)];
}
