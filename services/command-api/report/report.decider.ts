import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import { MAX_LINKS, type ReportState } from "#contracts/events/report/report-fold.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { latestDate } from "#contracts/report/fields.ts";
import { type Problems, ruleProblems } from "#contracts/report/submission-rules.ts";
import {
  REPORT_STATUSES,
  type RejectionReason,
  type ReportStatus,
  TERMS_OUTDATED,
  VERIFICATION_TTL_MS,
} from "#contracts/report/words.ts";
import { acceptCheckout, openCheckout } from "../checkout/checkout.decider.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import { decideResolution, resolutionErasure } from "../resolution/resolution.decider.ts";
import { type Suspension, submissionRefused } from "../strikes/strike-rules.ts";
import { claim, disown } from "./report.claim.ts";
import type { CommandOf, PreparedReportCommand } from "./report.commands.ts";
import {
  deleted,
  deleteReport,
  eraseReport,
  hideReport,
  notErased,
  putBack,
  rejectIfHeld,
  takeDown,
  undoDecision,
  undoDeletion,
} from "./report.deletion.ts";
import { diffEdit, editProblems } from "./report.edit.ts";
import { deleteFile, evidenceAdded, hide, publish } from "./report.evidence.ts";
import { commandTextProblems, maskText } from "./report.mask.ts";
import { toNewReport } from "./report.payload.ts";
import { answerQuestion, askReporter, withdrawQuestion, writeNote } from "./report.question.ts";
import { noRevision } from "./report.restore.ts";
import {
  correctAddress,
  heldBackEvents,
  liftWarning,
  refuseSuspended,
  warnReporter,
} from "./report.warning.ts";

type Existing = ReportState & { status: ReportStatus };

/** Decides every command about a report. */
export function decideReport(
  state: ReportState | undefined,
  command: PreparedReportCommand,
  moment: Moment,
): ReportEvent[] {
  refuse(commandTextProblems(state, command));
  switch (command.type) {
    case "SubmitReport":
      return submit(state, command, moment);
    case "ResendVerification":
      return resendVerification(state, command, moment);
    case "VerifyReport":
      return verifyByLink(requireExisting(state), command, moment);
    case "CorrectReporterAddress":
      return correctAddress(state, command, moment);
    case "AskReporter":
      return askReporter(state, command, moment);
    case "WithdrawQuestion":
      return withdrawQuestion(state);
    case "WriteNote":
      return writeNote(state, command);
    case "AnswerQuestion":
      return answerQuestion(state, command, moment);
    case "VerifyReportByHand":
      refuseVerified(requireExisting(state));
      refuseSuspended(command.suspended);
      return [{ type: "ReportVerifiedByHand", data: {} }];
    case "ApproveReport":
      refuseUnconfirmed(requireExisting(state), command);
      return setStatus(requireExisting(state), { status: "approved", slug: command.slug });
    case "RejectReport":
      return setStatus(requireExisting(state), { status: "rejected", ...command.body });
    case "SetReportStatus":
      if (command.body.status === "approved") refuseUnconfirmed(requireExisting(state), command);
      return setStatus(requireExisting(state), { ...command.body, slug: command.slug });
    case "UndoDecision":
      return undoDecision(state, command, moment);
    case "EditReport":
      return edit(requireExisting(state), command, moment);
    case "RestoreReport":
      return restore(requireExisting(state), command, moment);
    case "MaskText":
      return maskText(state, command);
    case "PublishEvidence":
      return publish(requireExisting(state), command);
    case "HideEvidence":
      return hide(requireExisting(state), command);
    case "DeleteEvidence":
      return deleteFile(requireExisting(state), command);
    case "TakeDownMaterial":
      return takeDown(requireExisting(state), command);
    case "PutMaterialBack":
      return putBack(notErased(state), command);
    case "WarnReporter":
      return warnReporter(requireExisting(state), command);
    case "LiftReporterWarning":
      return liftWarning(state, command);
    case "ClaimReport":
      return claim(state, command);
    case "DisownReport":
      return disown(state, command);
    case "SetReporterNotifications":
      return setReporterNotifications(state, command);
    case "EraseReporter": {
      // Appended even if the key is already destroyed, because other services follow the event.
      const report = notErased(state);
      if (report.reporter_erased) return [];
      return [...resolutionErasure(report), { type: "ReporterErased", data: {} }];
    }
    case "RequestResolution":
    case "WithdrawResolution":
    case "AcceptLetter":
    case "RefuseLetter":
    case "NotePayment":
    case "RefundPayment":
      return decideResolution(requireExisting(state), command, moment);
    case "OpenCheckout":
      return openCheckout(requireExisting(state), command, moment);
    case "AcceptCheckout":
      // A payment can also arrive for a deleted report; the sender of this command alerts staff.
      return acceptCheckout(state, command);
    case "DeleteReport":
      return deleteReport(state, command);
    case "UndoDeletion":
      return undoDeletion(state);
    case "HideReport":
      return hideReport(state, command);
    case "EraseReport":
      return eraseReport(state, command.reasonCode, moment.now);
    case "ExpireReport":
      return command.cause && !state?.erased ? eraseReport(state, command.cause, moment.now) : [];
  }
}

/** Returns the report, or throws if it was never submitted or is deleted. */
export function requireExisting(state: ReportState | undefined): Existing {
  if (!state) throw new DomainError("report_not_found", "Report not found");
  if (state.status === "deleted") throw deleted();
  return state as Existing;
}

function submit(
  state: ReportState | undefined,
  command: CommandOf<"SubmitReport">,
  moment: Moment,
): ReportEvent[] {
  const { body, blind, reporterBlind, termsVersion, suspended, evidence = [] } = command;
  // Nothing is accepted from a suspended address, even if an account confirmed it.
  const isConfirmed = command.isConfirmed === true && !suspended;
  const { terms_version = termsVersion } = body;
  refuse({
    ...ruleProblems(body, latestDate(Date.parse(moment.now))),
    ...(terms_version === termsVersion ? {} : { terms_accepted: TERMS_OUTDATED }),
  });
  if (state) {
    requireExisting(state);
    throw new DomainError("report_exists", "This report has already been submitted");
  }
  const { clear, personal, reporter } = toNewReport(body);
  return [
    {
      type: "ReportSubmitted",
      data: {
        report_type: body.report_type,
        report: clear,
        terms_version: termsVersion,
        ...(isConfirmed ? {} : { link: linkFrom(moment, VERIFICATION_TTL_MS) }),
        personal: { report: personal, blind },
        reporter: { report: reporter, blind: reporterBlind },
      },
    },
    ...(isConfirmed ? [{ type: "ReportVerifiedByAccount", data: {} } as const] : []),
    ...evidence.map(evidenceAdded),
    ...heldBackEvents(suspended),
  ];
}

/** Requests another link. A no-op for a wrong, suspended or verified address; the caller can't tell which. */
function resendVerification(
  state: ReportState | undefined,
  { email, suspended }: CommandOf<"ResendVerification">,
  moment: Moment,
): ReportEvent[] {
  if (!state || state.status === "deleted" || state.verified || suspended) return [];
  const reporter = state.reporter?.reporter_email;
  if (!reporter || reporter.toLowerCase() !== email.toLowerCase()) return [];
  const valid = state.links.filter(({ expires_at }) => expires_at > moment.now);
  if (valid.length >= MAX_LINKS) return [];
  return [
    { type: "ReportVerificationResent", data: { link: linkFrom(moment, VERIFICATION_TTL_MS) } },
  ];
}

/** Any link to the current address stays valid until it expires, even after another one was requested. */
function verifyByLink(
  report: Existing,
  { linkId, suspended }: CommandOf<"VerifyReport">,
  { now }: Moment,
): ReportEvent[] {
  refuseVerified(report);
  const link = report.links.find(({ link_id }) => link_id === linkId);
  if (!link || link.expires_at <= now) throw linkInvalid();
  // Whoever has the link can read email sent to the address.
  if (suspended) throw submissionRefused();
  return [{ type: "ReportVerifiedByLink", data: { link_id: linkId } }];
}

/** The error for a malformed, forged, expired or revoked link. */
export function linkInvalid(): DomainError {
  return new DomainError(
    "link_invalid",
    "Verification failed. The link may be invalid or expired.",
  );
}

/** Refuses a verified report: there is nothing left to confirm or correct. */
export function refuseVerified({ verified }: Existing): void {
  if (verified) {
    throw new DomainError("already_verified", "This email address is already verified");
  }
}

/** Nothing unverified is published while its address is suspended, whenever it was submitted. */
function refuseUnconfirmed(
  { verified }: Pick<Existing, "verified">,
  { suspended }: { readonly suspended?: Suspension | undefined },
): void {
  if (!verified) refuseSuspended(suspended);
}

/** Any status may follow any other. Setting the same one again is refused, and `rejected` needs a reason. */
function setStatus(
  report: Pick<Existing, "status" | "verified" | "holds">,
  to: {
    status: ReportStatus;
    reason?: string | undefined;
    reason_code?: RejectionReason | undefined;
    duplicate_of?: string | undefined;
    slug?: string | undefined;
  },
): ReportEvent[] {
  const { status: from, verified } = report;
  const { status, reason, reason_code, duplicate_of, slug } = to;
  rejectIfHeld(report);
  if (from === status) {
    throw new DomainError(
      "status_unchanged",
      `The report is already ${REPORT_STATUSES[status].toLowerCase()}`,
    );
  }
  switch (status) {
    case "approved": {
      const personal = slug === undefined ? {} : { personal: { slug } };
      return [{ type: "ReportApproved", data: { from, verified, ...personal } }];
    }
    case "rejected":
      if (!reason && (!reason_code || reason_code === "other")) {
        throw new DomainError("reason_required", "A rejection needs a reason", {
          reason: "Reason is required",
        });
      }
      if (duplicate_of && reason_code !== "duplicate") {
        throw new DomainError("invalid_request", "Only a duplicate can refer to another report", {
          duplicate_of: 'Select the reason "Duplicate"',
        });
      }
      return [
        {
          type: "ReportRejected",
          data: {
            from,
            verified,
            ...omitUndefined({
              reason_code,
              duplicate_of,
              personal: reason ? { reason } : undefined,
            }),
          },
        },
      ];
    default:
      return [{ type: "ReportStatusSet", data: { from, to: status, verified } }];
  }
}

/** Changes fields, and applies the same rules to status and verification as their own commands do. */
function edit(report: Existing, command: CommandOf<"EditReport">, moment: Moment): ReportEvent[] {
  const { body: changes, slug, blind, reporterBlind } = command;
  refuse(editProblems(report, changes, latestDate(Date.parse(moment.now))));
  const diff = diffEdit(report, changes);
  const { status = report.status, verified, reason } = changes;
  const events: ReportEvent[] = [];
  const isPublic = report.status === "approved";
  if (diff.fields.length > 0) {
    // A report that isn't public gets its URL when it is approved.
    const address = isPublic && status === "approved" && slug ? { slug } : {};
    const personal = { ...diff.personal, ...address, ...omitUndefined({ blind }) };
    const reporter = { ...diff.reporter, ...omitUndefined({ blind: reporterBlind }) };
    const isPersonal = touched(diff.personal) || "slug" in personal || "blind" in personal;
    events.push({
      type: "ReportEdited",
      data: {
        fields: diff.fields,
        ...diff.clear,
        ...(isPersonal ? { personal } : {}),
        ...(touched(diff.reporter) ? { reporter } : {}),
      },
    });
  }
  let known = report.verified;
  if (diff.fields.includes("reporter_email")) {
    // The new address is unconfirmed, and a link to the old one proves nothing about it.
    if (known) events.push({ type: "ReportVerificationWithdrawn", data: {} });
    known = false;
    const link = linkFrom(moment, VERIFICATION_TTL_MS);
    events.push(
      { type: "ReportVerificationResent", data: { link } },
      ...heldBackEvents(command.suspended),
    );
  }
  if (verified !== undefined && verified !== known) {
    if (verified) refuseSuspended(command.suspended);
    const type = verified ? "ReportVerifiedByHand" : "ReportVerificationWithdrawn";
    events.push({ type, data: {} });
  }
  if (status !== report.status) {
    const { holds } = report;
    const now = { status: report.status, verified: verified ?? known, holds };
    if (status === "approved") refuseUnconfirmed(now, command);
    events.push(...setStatus(now, { status, reason, slug }));
  }
  return events;
}

/** Edits the report back to an earlier version. */
function restore(
  report: Existing,
  { body: { revision }, changes, ...prepared }: CommandOf<"RestoreReport">,
  moment: Moment,
): ReportEvent[] {
  if (!changes) throw noRevision(revision);
  const edited = edit(report, { ...prepared, type: "EditReport", body: changes }, moment);
  if (edited.length === 0)
    throw new DomainError("version_unchanged", "This version is identical to the current one");
  return [{ type: "ReportVersionRestored", data: { revision } }, ...edited];
}

function refuse(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw refusalOf(problems);
}

function touched(change: { readonly set: object; readonly cleared: readonly string[] }): boolean {
  return change.cleared.length > 0 || Object.keys(change.set).length > 0;
}

/** A no-op unless this is the report's reporter address. */
function setReporterNotifications(
  state: ReportState | undefined,
  { email, decisions }: CommandOf<"SetReporterNotifications">,
): ReportEvent[] {
  const isMailed = state?.status !== "deleted" && state?.reporter?.reporter_email === email;
  if (!isMailed || state.notified === decisions) return [];
  return [{ type: "ReporterNotificationsSet", data: { by: "unsubscribe_link", decisions } }];
}
