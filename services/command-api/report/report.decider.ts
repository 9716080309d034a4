import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { BlindIndexes } from "#contracts/events/report/stored-report.ts";
import {
  type DeletionReason,
  REPORT_STATUSES,
  type ReportStatus,
  type ReportType,
  TERMS_VERSION,
  VERIFICATION_TTL_MS,
} from "#contracts/report/words.ts";
import { DomainError } from "#kit/http/errors.ts";
import type { EditDiff } from "./report.edit.ts";
import type { NewReport } from "./report.payload.ts";

/** Where a report's public page stands; taken before the command is decided. */
export interface TakenSlug {
  readonly slug: string;
  readonly hash: string;
}

/** Ids and times that a command brings along, so that deciding needs no clock and no chance. */
export interface Moment {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** UUID for a link that the command may ask for. */
  readonly linkId: string;
}

const later = (now: string, ms: number) => new Date(Date.parse(now) + ms).toISOString();

function verificationFrom({ now, linkId }: Moment) {
  return { link_id: linkId, expires_at: later(now, VERIFICATION_TTL_MS) };
}

/** The report, which must have been submitted and not deleted. */
export function present(state: ReportState | undefined): ReportState & { status: ReportStatus } {
  if (!state) throw new DomainError("report_not_found", "Report not found");
  if (state.status === "deleted") {
    throw new DomainError("report_deleted", "This report was deleted");
  }
  return state as ReportState & { status: ReportStatus };
}

export interface SubmitReport {
  readonly type: ReportType;
  readonly report: NewReport;
  readonly blind: BlindIndexes;
  readonly slug: TakenSlug;
}

export function submitReport(
  state: ReportState | undefined,
  command: SubmitReport,
  moment: Moment,
): ReportEvent[] {
  if (state) throw new DomainError("report_exists", "This report was submitted already");
  const { clear, personal, reporter } = command.report;
  return [
    {
      type: "ReportSubmitted",
      data: {
        report_type: command.type,
        report: clear,
        slug_hash: command.slug.hash,
        terms_version: TERMS_VERSION,
        verification: verificationFrom(moment),
        personal: { report: personal, slug: command.slug.slug, blind: command.blind },
        reporter: { report: reporter },
      },
    },
  ];
}

/**
 * Asks for a new verification link. An address that is not the reporter's, a verified report and
 * a missing one change nothing: the answer is the same, so that nobody learns who reported.
 */
export function resendVerification(
  state: ReportState | undefined,
  email: string,
  moment: Moment,
): ReportEvent[] {
  if (!state || state.status === "deleted" || state.verified) return [];
  const reporter = state.reporter?.reporter_email;
  if (!reporter || reporter.toLowerCase() !== email.toLowerCase()) return [];
  return [{ type: "ReportVerificationResent", data: { verification: verificationFrom(moment) } }];
}

export function verifyByLink(
  state: ReportState | undefined,
  linkId: string,
  moment: Moment,
): ReportEvent[] {
  const report = present(state);
  if (report.verified) {
    throw new DomainError("already_verified", "This email address is verified already");
  }
  const { link_id, expires_at } = report.verification;
  if (link_id !== linkId || expires_at <= moment.now) {
    throw new DomainError(
      "link_invalid",
      "Verification failed. The link may be invalid or expired.",
    );
  }
  return [{ type: "ReportVerifiedByLink", data: { link_id: linkId } }];
}

export function verifyByHand(state: ReportState | undefined): ReportEvent[] {
  if (present(state).verified) {
    throw new DomainError("already_verified", "This email address is verified already");
  }
  return [{ type: "ReportVerifiedByHand", data: {} }];
}

/** Any status may follow any other; the same again is refused, and `rejected` needs a reason. */
export function setStatus(
  state: ReportState | undefined,
  to: ReportStatus,
  reason?: string,
): ReportEvent[] {
  const { status: from, verified } = present(state);
  if (from === to) {
    throw new DomainError(
      "status_unchanged",
      `The report is ${REPORT_STATUSES[to].toLowerCase()} already`,
    );
  }
  switch (to) {
    case "approved":
      return [{ type: "ReportApproved", data: { from, verified } }];
    case "rejected":
      if (!reason) {
        throw new DomainError("reason_required", "A rejection needs a reason", {
          reason: "Reason is required",
        });
      }
      return [{ type: "ReportRejected", data: { from, verified, personal: { reason } } }];
    default:
      return [{ type: "ReportStatusSet", data: { from, to, verified } }];
  }
}

export interface EditReport {
  readonly diff: EditDiff;
  /** All blind indexes after the edit, when one of them changed. */
  readonly blind?: BlindIndexes;
  /** When the name changed. */
  readonly slug?: TakenSlug;
  readonly status?: ReportStatus;
  readonly verified?: boolean;
  readonly reason?: string;
}

/** Changes fields, and runs the status and verification commands where those differ. */
export function editReport(
  state: ReportState | undefined,
  command: EditReport,
  moment: Moment,
): ReportEvent[] {
  const report = present(state);
  const events: ReportEvent[] = [];
  const { diff, slug, blind } = command;
  if (diff.fields.length > 0) {
    const personal = {
      ...diff.personal,
      ...(slug ? { slug: slug.slug } : {}),
      ...(blind ? { blind } : {}),
    };
    events.push({
      type: "ReportEdited",
      data: {
        fields: diff.fields,
        ...diff.clear,
        ...(slug ? { slug_hash: slug.hash } : {}),
        ...(touched(diff.personal) || slug || blind ? { personal } : {}),
        ...(touched(diff.reporter) ? { reporter: diff.reporter } : {}),
      },
    });
  }
  const { status, verified } = command;
  let known = report.verified;
  if (diff.fields.includes("reporter_email")) {
    // Nobody has confirmed the new address, and a link that went to the old one proves nothing.
    if (known) events.push({ type: "ReportVerificationWithdrawn", data: {} });
    known = false;
    const verification = verificationFrom(moment);
    events.push({ type: "ReportVerificationResent", data: { verification } });
  }
  if (verified !== undefined && verified !== known) {
    const type = verified ? "ReportVerifiedByHand" : "ReportVerificationWithdrawn";
    events.push({ type, data: {} });
  }
  if (status !== undefined && status !== report.status) {
    const now = { ...report, verified: verified ?? known };
    events.push(...setStatus(now, status, command.reason));
  }
  return events;
}

export function deleteReport(
  state: ReportState | undefined,
  reasonCode: DeletionReason,
): ReportEvent[] {
  const { status: from } = present(state);
  return [{ type: "ReportDeleted", data: { from, reason_code: reasonCode } }];
}

function touched(change: { readonly set: object; readonly cleared: readonly string[] }): boolean {
  return change.cleared.length > 0 || Object.keys(change.set).length > 0;
}
