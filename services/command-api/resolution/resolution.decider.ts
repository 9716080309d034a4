import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { Resolution } from "#contracts/events/report/resolution.ts";
import type { RequestResolution, StaffResolutionCommand } from "#contracts/http/resolution.ts";
import { FILE_ENDINGS } from "#contracts/report/evidence-rules.ts";
import { isOpenStage, LETTER, MAX_REQUESTS, RESOLUTION_FEE } from "#contracts/report/resolution.ts";
import { TERMS_OUTDATED } from "#contracts/report/words.ts";
import type { NamedFile } from "../evidence/named-file.ts";
import type { Moment } from "../kernel/command.ts";

/** A staff command with what the service adds. */
type OfStaff = StaffResolutionCommand & {
  /** Admins to email about a payment. */
  readonly told: readonly string[];
};

/** Commands for the RESOLVED banner of a report. */
export type ResolutionCommand =
  | { readonly type: "RequestResolution"; readonly body: RequestResolution }
  | { readonly type: "WithdrawResolution"; readonly requestId: string }
  | OfStaff;

/** What is added to a request before it is decided. */
export interface PreparedRequest {
  readonly termsVersion: string;
  /** The letter, once it belongs to the report. */
  readonly letter?: NamedFile;
}

type CommandOf<T extends ResolutionCommand["type"]> = Extract<ResolutionCommand, { type: T }>;
type Prepared = CommandOf<"RequestResolution"> & PreparedRequest;

/** Decides commands about the RESOLVED banner: first the letter, then the fee. @param report must exist. */
export function decideResolution(
  report: ReportState,
  command: Exclude<ResolutionCommand, { type: "RequestResolution" }> | Prepared,
  moment: Moment,
): ReportEvent[] {
  switch (command.type) {
    case "RequestResolution":
      return request(report, command, moment);
    case "WithdrawResolution": {
      const { request_id, stage, file_id } = requestOf(report, command.requestId);
      if (!isOpenStage(stage)) throw closed();
      return [
        { type: "ResolutionWithdrawn", data: { request_id, by: "owner" } },
        ...letterErasures(report, file_id),
      ];
    }
    case "AcceptLetter": {
      const { request_id } = waitingLetter(report, command.body.request_id);
      // Don't ask for a payment for a banner that no one would see.
      refuseHidden(report);
      return [{ type: "ResolutionLetterAccepted", data: { request_id } }];
    }
    case "RefuseLetter": {
      const { request_id, reason } = command.body;
      waitingLetter(report, request_id);
      return [{ type: "ResolutionLetterRefused", data: { request_id, personal: { reason } } }];
    }
    case "NotePayment":
      return notePayment(report, command, moment);
    case "RefundPayment":
      return refundPayment(report, command);
  }
}

/** Events for erasing the reporter: withdraws an open request and erases the letters of all requests. */
export function resolutionErasure(report: ReportState): ReportEvent[] {
  const { resolution } = report;
  const withdrawn: ReportEvent[] =
    resolution && isOpenStage(resolution.stage)
      ? [
          {
            type: "ResolutionWithdrawn",
            data: { request_id: resolution.request_id, by: "erasure" },
          },
        ]
      : [];
  return [...withdrawn, ...letterErasures(report)];
}

function request(
  report: ReportState,
  { body, letter, termsVersion }: Prepared,
  moment: Moment,
): ReportEvent[] {
  const { resolution } = report;
  if (body.terms_version !== termsVersion) throw refusalOf({ terms_accepted: TERMS_OUTDATED });
  if (report.resolved)
    throw new DomainError("resolution_open", "This report already shows the RESOLVED banner.");
  if (resolution && isOpenStage(resolution.stage))
    throw new DomainError("resolution_open", "You've already requested the RESOLVED banner.");
  refuseHidden(report);
  if ((resolution?.requests ?? 0) >= MAX_REQUESTS)
    throw new DomainError(
      "resolution_closed",
      "The banner has been requested too many times for this report. Please write to us.",
    );
  // Without the file, only check whether the request would be refused.
  if (!letter) return [];
  const { id: file_id, type, ...stored } = letter;
  // This part of the log survives erasing the reporter, and the original file name may identify them.
  const personal = { ...stored, name: `Notarized letter.${FILE_ENDINGS[type]}` };
  // Otherwise withdrawing the request would erase evidence.
  if (report.evidence.some((file) => file.file_id === file_id)) {
    const sentence = "This file is already part of the report. Please upload the letter itself";
    throw new DomainError("upload_used", `${sentence}.`, { letter: sentence });
  }
  return [
    { type: "EvidenceAdded", data: { file_id, kind: LETTER, type, personal } },
    {
      type: "ResolutionRequested",
      data: {
        request_id: moment.newId,
        file_id,
        ...RESOLUTION_FEE,
        terms_version: termsVersion,
      },
    },
  ];
}

function notePayment(
  report: ReportState,
  { body, told }: CommandOf<"NotePayment">,
  { newId: payment_id }: Moment,
): ReportEvent[] {
  const { request_id, stage, payments, amount_cents, currency } = requestOf(
    report,
    body.request_id,
  );
  const { method, reference, again = false } = body;
  if (payments.some((payment) => payment.reference === reference))
    throw new DomainError("already_paid", "This payment is already recorded.", {
      reference: "A payment with this reference is already recorded",
    });
  if (stage === "resolved") {
    if (!again) throw new DomainError("already_paid", "The fee has already been paid.");
  } else if (stage !== "letter_accepted") throw closed();
  const accepted: ReportEvent = {
    type: "PaymentAccepted",
    data: {
      payment_id,
      request_id,
      method,
      amount_cents,
      currency,
      ...mailed(told),
      personal: { reference },
    },
  };
  return stage === "resolved"
    ? [accepted]
    : [accepted, { type: "ReportResolved", data: { request_id } }];
}

function refundPayment(
  { resolution }: ReportState,
  { body, told }: CommandOf<"RefundPayment">,
): ReportEvent[] {
  const { payment_id, reason_code, reason } = body;
  const payment = resolution?.payments.find((each) => each.payment_id === payment_id);
  if (!resolution || !payment) throw new DomainError("not_found", "Payment not found.");
  if (payment.refunded)
    throw new DomainError("resolution_closed", "This payment has already been refunded.");
  const left = resolution.payments.filter(
    (each) => !each.refunded && each.payment_id !== payment_id,
  );
  if (reason_code === "double" && left.length === 0)
    throw refusalOf({
      reason_code: "The fee was recorded only once, so this isn't a double payment.",
    });
  const { request_id, stage } = resolution;
  const refunded: ReportEvent = {
    type: "PaymentRefunded",
    data: { payment_id, reason_code, ...mailed(told), personal: { reason } },
  };
  // A payment can also arrive for a closed request; refunding it doesn't remove the banner.
  return left.length > 0 || stage !== "resolved"
    ? [refunded]
    : [refunded, { type: "ReportUnresolved", data: { request_id } }];
}

/** Erases one letter, or all of them, because they identify their author. */
function letterErasures({ evidence }: ReportState, only?: string | null): ReportEvent[] {
  return evidence
    .filter(({ kind, erased }) => kind === LETTER && !erased)
    .filter(({ file_id }) => only === undefined || file_id === only)
    .map(({ file_id }) => ({ type: "EvidenceErased", data: { file_id } }));
}

/** Returns the report's last request, if it has this ID. */
export function requestOf({ resolution }: ReportState, requestId: string): Resolution {
  if (resolution?.request_id !== requestId)
    throw new DomainError("not_found", "Request not found.");
  return resolution;
}

function waitingLetter(report: ReportState, requestId: string): Resolution {
  const found = requestOf(report, requestId);
  if (found.stage !== "requested") throw closed();
  return found;
}

/** @throws {DomainError} `report_not_public` */
export function refuseHidden({ status }: ReportState): void {
  if (status !== "approved")
    throw new DomainError("report_not_public", "Only a public report can get the RESOLVED banner.");
}

/** The error for a request that has changed since the caller saw it. */
export function closed(): DomainError {
  return new DomainError(
    "resolution_closed",
    "This request has changed in the meantime. Please review it again.",
  );
}

function mailed(told: readonly string[]) {
  return told.length > 0 ? { told: [...told] } : {};
}
