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
import type { DeletionContext, LastDecision } from "./report.deletion.ts";
import type { ExpiryCause } from "./report.expiry.ts";
import type { PrivateTexts } from "./report.mask.ts";

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
  /** Erases the report if its retention period has ended; otherwise a no-op. */
  | { readonly type: "ExpireReport" }
  | HideReport
  | EraseReport
  | { readonly type: "EraseReporter" };

/** Hides a report again after a restore, because the restored log predates a deletion that was not undone. */
export interface HideReport {
  readonly type: "HideReport";
  /** RFC 3339. */
  readonly eraseAt: string;
}

/** Erases a report immediately: by the operator, after a restore, or when clearing samples. */
export interface EraseReport {
  readonly type: "EraseReport";
  readonly reasonCode: DeletionReason;
}

/** The reporter answers a moderator's question with the link from the email. */
export interface AnswerQuestion {
  readonly type: "AnswerQuestion";
  readonly questionId: string;
  readonly answer: string;
}

/** An account claims a report that was submitted from its address before it signed up. */
export interface ClaimReport {
  readonly type: "ClaimReport";
  readonly accountId: string;
  /** The account's confirmed address. */
  readonly email: string;
  /** Whether someone without an account submitted the report. Samples don't count. */
  readonly isVisitors: boolean;
}

/** Removes a report from an account that it doesn't belong to. */
export interface DisownReport {
  readonly type: "DisownReport";
  readonly accountId: string;
  /** The actor of the report's first event. */
  readonly submittedBy: string | undefined;
  readonly cause: OpenData<typeof ReportDisowned>["cause"];
}

/** An admin publishes a copy of a file. */
export interface PublishEvidence {
  readonly type: "PublishEvidence";
  readonly fileId: string;
  readonly kind: CopyKind;
  readonly page?: number | undefined;
  /** Number of boxes that the admin redacted. */
  readonly boxes: number;
}

/** An admin removes a published copy. */
export interface HideEvidence {
  readonly type: "HideEvidence";
  readonly copyId: string;
  readonly reason?: string | undefined;
}

/** An admin deletes a file and its published copies. */
export interface DeleteEvidence {
  readonly type: "DeleteEvidence";
  readonly fileId: string;
  readonly body: DeleteDocument;
}

/** A copyright notice takes down the report or one published copy. */
export interface TakeDown {
  readonly type: "TakeDownMaterial";
  readonly noticeId: string;
  readonly copyId?: string | undefined;
  /** Shown to the reporter. */
  readonly reason?: string | undefined;
}

/** A copyright notice no longer applies to the report or one published copy. */
export interface PutBack {
  readonly type: "PutMaterialBack";
  readonly noticeId: string;
  readonly copyId?: string | undefined;
}

/** A notice that took down material of the report counts as a strike against its reporter. */
export interface WarnReporter {
  readonly type: "WarnReporter";
  readonly noticeId: string;
  readonly step: WarningStep;
  /** From 1. */
  readonly strike: number;
  /** When a suspension ends, RFC 3339. */
  readonly until?: string | undefined;
  readonly accountId?: string | undefined;
  /** Whether the notice already counts for another of the reporter's reports. */
  readonly isCounted: boolean;
}

/** The notice no longer counts against the reporter. */
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

interface Addressed {
  readonly slug?: string | undefined;
}

/** Set while submissions from the reporter's address, or from the report's new address, are suspended. */
interface Suspendable {
  readonly suspended?: Suspension | undefined;
}

/** Fields that `report.prepare.ts` adds to commands. Other commands are decided as sent. */
interface Prepared {
  ResendVerification: Suspendable;
  VerifyReport: Suspendable;
  VerifyReportByHand: Suspendable;
  SubmitReport: Suspendable & {
    /** Version of the terms in force. A reporter who agreed to another version has to agree again. */
    readonly termsVersion: string;
    readonly blind: BlindIndexes;
    readonly reporterBlind: ReporterBlindIndexes;
    /** Whether the submitting account has confirmed the reporter's address. */
    readonly isConfirmed?: boolean | undefined;
    /** The files it names, once they belong to the report. */
    readonly evidence?: readonly NamedFile[];
  };
  EditReport: Addressed &
    Suspendable & {
      /** All blind indexes after the edit, if any of them changed. */
      readonly blind?: BlindIndexes | undefined;
      /** Set if the reporter's address changed. */
      readonly reporterBlind?: ReporterBlindIndexes | undefined;
    };
  RestoreReport: Prepared["EditReport"] & {
    /** The edit that turns the current version into the restored one. */
    readonly changes?: EditReport | undefined;
  };
  PublishEvidence: {
    /** Absent while the command is only being checked. */
    readonly copy?: StoredCopy | undefined;
  };
  CorrectReporterAddress: Suspendable & { readonly reporterBlind: ReporterBlindIndexes };
  ExpireReport: { readonly cause?: ExpiryCause | undefined };
  DeleteReport: {
    /** Absent while the command is only being checked. */
    readonly context?: DeletionContext | undefined;
  };
  RequestResolution: PreparedRequest;
  UndoDecision: {
    /** The account that requests the undo. */
    readonly accountId: string;
    /** Absent if something else has happened since the last decision. */
    readonly decision?: LastDecision | undefined;
  };
  MaskText: {
    /** Absent while the command is only being checked. */
    readonly masked?: PrivateTexts | undefined;
  };
  ApproveReport: Addressed & Suspendable;
  PutMaterialBack: Addressed;
  SetReportStatus: Addressed & Suspendable;
}

type With<C extends ReportCommand> = C extends { readonly type: keyof Prepared }
  ? C & Prepared[C["type"]]
  : C;

/** Commands with what `report.prepare.ts` adds. */
export type PreparedReportCommand = With<ReportCommand>;

export type CommandOf<T extends PreparedReportCommand["type"]> = Extract<
  PreparedReportCommand,
  { type: T }
>;
