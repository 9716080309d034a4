import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import { MOST_LINKS, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { BlindIndexes, ReporterBlindIndexes } from "#contracts/events/report/stored-report.ts";
import { given } from "#contracts/given.ts";
import {
  type DeletionReason,
  REPORT_STATUSES,
  type ReportStatus,
  type ReportType,
  TERMS_VERSION,
  VERIFICATION_TTL_MS,
} from "#contracts/report/words.ts";
import type { EditDiff } from "./report.edit.ts";
import type { NewReport } from "./report.payload.ts";

/** Ids and times that a command brings along, so that deciding needs no clock and no chance. */
export interface Moment {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** UUID for a link that the command may ask for. */
  readonly linkId: string;
}

const later = (now: string, ms: number) => new Date(Date.parse(now) + ms).toISOString();

function linkFrom({ now, linkId }: Moment) {
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
  readonly reporterBlind: ReporterBlindIndexes;
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
        terms_version: TERMS_VERSION,
        link: linkFrom(moment),
        personal: { report: personal, blind: command.blind },
        reporter: { report: reporter, blind: command.reporterBlind },
      },
    },
  ];
}

/**
 * Asks for a new verification link. An address that is not the reporter's, a verified report, a
 * missing one and one that was asked about too often change nothing, and nobody learns which.
 */
export function resendVerification(
  state: ReportState | undefined,
  email: string,
  moment: Moment,
): ReportEvent[] {
  if (!state || state.status === "deleted" || state.verified) return [];
  const reporter = state.reporter?.reporter_email;
  if (!reporter || reporter.toLowerCase() !== email.toLowerCase()) return [];
  const valid = state.links.filter(({ expires_at }) => expires_at > moment.now);
  if (valid.length >= MOST_LINKS) return [];
  return [{ type: "ReportVerificationResent", data: { link: linkFrom(moment) } }];
}

/** Any link to the present address counts until it expires: asking for another one voids none. */
export function verifyByLink(
  state: ReportState | undefined,
  linkId: string,
  moment: Moment,
): ReportEvent[] {
  const report = present(state);
  if (report.verified) {
    throw new DomainError("already_verified", "This email address is verified already");
  }
  const link = report.links.find(({ link_id }) => link_id === linkId);
  if (!link || link.expires_at <= moment.now) {
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

/** What goes with a new status. */
export interface StatusDetails {
  /** Why it is rejected. */
  readonly reason?: string;
  /** A new address of the page, for an approval. */
  readonly slug?: string;
}

/** Any status may follow any other; the same again is refused, and `rejected` needs a reason. */
export function setStatus(
  state: ReportState | undefined,
  to: ReportStatus,
  { reason, slug }: StatusDetails = {},
): ReportEvent[] {
  const { status: from, verified } = present(state);
  if (from === to) {
    throw new DomainError(
      "status_unchanged",
      `The report is ${REPORT_STATUSES[to].toLowerCase()} already`,
    );
  }
  switch (to) {
    case "approved": {
      const personal = slug === undefined ? {} : { personal: { slug } };
      return [{ type: "ReportApproved", data: { from, verified, ...personal } }];
    }
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
  /** The reporter's, when their address changed. */
  readonly reporterBlind?: ReporterBlindIndexes;
  /** When the name of a report that is public changed, or the edit approves it. */
  readonly slug?: string;
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
  const { diff, blind, reporterBlind } = command;
  const isPublic = report.status === "approved";
  const staysPublic = isPublic && (command.status ?? "approved") === "approved";
  // The address of a report that is not public comes with its approval.
  const slug = staysPublic ? command.slug : undefined;
  if (diff.fields.length > 0) {
    const personal = {
      ...diff.personal,
      ...(slug ? { slug } : {}),
      ...(blind ? { blind } : {}),
    };
    const reporter = { ...diff.reporter, ...(reporterBlind ? { blind: reporterBlind } : {}) };
    events.push({
      type: "ReportEdited",
      data: {
        fields: diff.fields,
        ...diff.clear,
        ...(touched(diff.personal) || slug || blind ? { personal } : {}),
        ...(touched(diff.reporter) ? { reporter } : {}),
      },
    });
  }
  const { status, verified } = command;
  let known = report.verified;
  if (diff.fields.includes("reporter_email")) {
    // Nobody has confirmed the new address, and a link that went to the old one proves nothing.
    if (known) events.push({ type: "ReportVerificationWithdrawn", data: {} });
    known = false;
    const link = linkFrom(moment);
    events.push({ type: "ReportVerificationResent", data: { link } });
  }
  if (verified !== undefined && verified !== known) {
    const type = verified ? "ReportVerifiedByHand" : "ReportVerificationWithdrawn";
    events.push({ type, data: {} });
  }
  if (status !== undefined && status !== report.status) {
    const now = { ...report, verified: verified ?? known };
    const { reason } = command;
    const address = isPublic ? {} : { slug: command.slug };
    events.push(...setStatus(now, status, given({ reason, ...address })));
  }
  return events;
}

/**
 * The reporter is erased alone; the report stays, and so does whether it was verified. Also where
 * the key is gone already: the event is what everybody else follows.
 */
export function eraseReporter(state: ReportState | undefined): ReportEvent[] {
  return present(state).reporter_erased ? [] : [{ type: "ReporterErased", data: {} }];
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
