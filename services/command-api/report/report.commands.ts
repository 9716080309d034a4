import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportDisowned } from "#contracts/events/report/report-decisions.ts";
import type { WarningStep } from "#contracts/events/report/reporter-questions.ts";
import type { BlindIndexes, ReporterBlindIndexes } from "#contracts/events/report/stored-report.ts";
import type { DeleteDocument } from "#contracts/http/documents.ts";
import type { EditReport, ModerationCommand } from "#contracts/http/moderation.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import type { CopyKind } from "#contracts/report/evidence-rules.ts";
import type { DeletionReason } from "#contracts/report/words.ts";
import type { CheckoutCommand } from "../checkout/checkout.decider.ts";
import type { NamedFile } from "../evidence/named-file.ts";
import type { PreparedRequest, ResolutionCommand } from "../resolution/resolution.decider.ts";
import type { Suspension } from "../strikes/strike-rules.ts";
import type { DeletionStanding, LastDecision } from "./report.deletion.ts";
import type { ExpiryCause } from "./report.expiry.ts";
import type { PrivateTexts } from "./report.mask.ts";

/** The commands about a report. */
export type ReportCommand =
  | ModerationCommand
  | ResolutionCommand
  | CheckoutCommand
  | { readonly type: "SubmitReport"; readonly body: SubmitReport }
  | { readonly type: "ResendVerification"; readonly email: string }
  | { readonly type: "VerifyReport"; readonly linkId: string }
  | { readonly type: "CorrectReporterAddress"; readonly email: string }
  | AnswerQuestion
  | ClaimReport
  | PublishEvidence
  | HideEvidence
  | DeleteEvidence
  | TakeDown
  | PutBack
  | WarnReporter
  | LiftReporterWarning
  | {
      readonly type: "SetReporterNotifications";
      readonly email: string;
      readonly decisions: boolean;
    }
  | DisownReport
  /** Its time is over; nothing happens while it is not. */
  | { readonly type: "ExpireReport" }
  | HideReport
  | EraseReport
  | { readonly type: "EraseReporter" };

/** A restored log is older than a deletion that was not undone. */
export interface HideReport {
  readonly type: "HideReport";
  /** RFC 3339. */
  readonly eraseAt: string;
}

/** The operator or a restore erases a report immediately, as clearing the samples does. */
export interface EraseReport {
  readonly type: "EraseReport";
  readonly reasonCode: DeletionReason;
}

/** The reporter answers a moderator's question, by the link of its email. */
export interface AnswerQuestion {
  readonly type: "AnswerQuestion";
  readonly questionId: string;
  readonly answer: string;
}

/** An account wants a report that was submitted from its address before it had an account. */
export interface ClaimReport {
  readonly type: "ClaimReport";
  readonly accountId: string;
  /** The address that the account has confirmed. */
  readonly email: string;
  /** Whether someone without an account submitted the report; samples do not count. */
  readonly isVisitors: boolean;
}

/** A report does not belong to the account that has it. */
export interface DisownReport {
  readonly type: "DisownReport";
  readonly accountId: string;
  /** The actor of the report's first event. */
  readonly submittedBy: string | undefined;
  readonly cause: OpenData<typeof ReportDisowned>["cause"];
}

/** An admin shows a copy of a file to everyone. */
export interface PublishEvidence {
  readonly type: "PublishEvidence";
  readonly fileId: string;
  readonly kind: CopyKind;
  readonly page?: number | undefined;
  /** How many boxes the admin painted over it. */
  readonly boxes: number;
}

/** An admin takes a published copy away. */
export interface HideEvidence {
  readonly type: "HideEvidence";
  readonly copyId: string;
  readonly reason?: string | undefined;
}

/** An admin deletes a file, with its published copies. */
export interface DeleteEvidence {
  readonly type: "DeleteEvidence";
  readonly fileId: string;
  readonly body: DeleteDocument;
}

/** A notice takes the report out of public view, or one published copy. */
export interface TakeDown {
  readonly type: "TakeDownMaterial";
  readonly noticeId: string;
  readonly copyId?: string | undefined;
  /** In words for the reporter. */
  readonly reason?: string | undefined;
}

/** A notice does not hold the report, or one published copy, anymore. */
export interface PutBack {
  readonly type: "PutMaterialBack";
  readonly noticeId: string;
  readonly copyId?: string | undefined;
}

/** Its reporter infringed copyright once more, as a notice says that took material of the report down. */
export interface WarnReporter {
  readonly type: "WarnReporter";
  readonly noticeId: string;
  readonly step: WarningStep;
  /** From 1. */
  readonly strike: number;
  /** When a suspension ends, RFC 3339. */
  readonly until?: string | undefined;
  readonly accountId?: string | undefined;
  /** Whether the notice counts already with another of the reporter's reports. */
  readonly isCounted: boolean;
}

/** The notice does not count against the reporter anymore. */
export interface LiftReporterWarning {
  readonly type: "LiftReporterWarning";
  readonly noticeId: string;
}

/** A copy whose bytes are stored. Sizes are in pixels and bytes; the hash is SHA-256 in hex. */
export interface StoredCopy {
  readonly id: string;
  readonly type: "image/webp";
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A new address for the page, if the report gets one. */
interface Addressed {
  readonly slug?: string | undefined;
}

/** While nothing is accepted from the report's reporter, or from the address that it gets. */
interface Suspendable {
  readonly suspended?: Suspension | undefined;
}

/** What `report.prepare.ts` adds to a command; the others are decided as they are sent. */
interface Prepared {
  ResendVerification: Suspendable;
  VerifyReport: Suspendable;
  VerifyReportByHand: Suspendable;
  SubmitReport: Suspendable & {
    /** The terms that are in force: anyone who agreed to others is asked again. */
    readonly termsVersion: string;
    readonly blind: BlindIndexes;
    readonly reporterBlind: ReporterBlindIndexes;
    /** Whether the account that submits it has confirmed the reporter's address as its own. */
    readonly isConfirmed?: boolean | undefined;
    /** The files that it names, once they are the report's. */
    readonly evidence?: readonly NamedFile[];
  };
  EditReport: Addressed &
    Suspendable & {
      /** All blind indexes after the edit, when one of them changed. */
      readonly blind?: BlindIndexes | undefined;
      /** The reporter's, when their address changed. */
      readonly reporterBlind?: ReporterBlindIndexes | undefined;
    };
  RestoreReport: Prepared["EditReport"] & {
    /** What the version changes of the present one. */
    readonly changes?: EditReport | undefined;
  };
  PublishEvidence: {
    /** Absent while it is only checked. */
    readonly copy?: StoredCopy | undefined;
  };
  CorrectReporterAddress: Suspendable & { readonly reporterBlind: ReporterBlindIndexes };
  ExpireReport: { readonly cause?: ExpiryCause | undefined };
  DeleteReport: {
    /** Absent while it is only checked. */
    readonly standing?: DeletionStanding | undefined;
  };
  RequestResolution: PreparedRequest;
  UndoDecision: {
    /** Anyone who wants it. */
    readonly accountId: string;
    /** Absent where something else was the last thing that happened. */
    readonly decision?: LastDecision | undefined;
  };
  MaskText: {
    /** Absent while it is only checked. */
    readonly masked?: PrivateTexts | undefined;
  };
  ApproveReport: Addressed & Suspendable;
  PutMaterialBack: Addressed;
  SetReportStatus: Addressed & Suspendable;
}

type With<C extends ReportCommand> = C extends { readonly type: keyof Prepared }
  ? C & Prepared[C["type"]]
  : C;

/** The commands with what `report.prepare.ts` adds. */
export type PreparedReportCommand = With<ReportCommand>;

/** The prepared command of that type. */
export type CommandOf<T extends PreparedReportCommand["type"]> = Extract<
  PreparedReportCommand,
  { type: T }
>;
