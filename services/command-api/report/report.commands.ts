import type { Static } from "typebox";
import type { BlindIndexes, ReporterBlindIndexes } from "#contracts/events/report/stored-report.ts";
import type {
  EditReport as EditBody,
  RejectReport as RejectBody,
  SetStatus as SetStatusBody,
} from "#contracts/http/admin-reports.ts";
import type { SubmitReport as SubmitBody } from "#contracts/http/reports.ts";
import type { DeletionReason } from "#contracts/report/words.ts";

interface SubmitReport {
  readonly type: "SubmitReport";
  readonly body: SubmitBody;
}

interface EditReport {
  readonly type: "EditReport";
  readonly edit: EditBody;
}

interface ApproveReport {
  readonly type: "ApproveReport";
}

type SetReportStatus = { readonly type: "SetReportStatus" } & Readonly<
  Static<typeof SetStatusBody>
>;

/** Commands that are decided as they are sent. */
type PlainCommand =
  | { readonly type: "ResendVerification"; readonly email: string }
  | { readonly type: "VerifyReport"; readonly linkId: string }
  | { readonly type: "VerifyReportByHand" }
  | ({ readonly type: "RejectReport" } & Readonly<Static<typeof RejectBody>>)
  | { readonly type: "EraseReporter" }
  | { readonly type: "DeleteReport"; readonly reasonCode: DeletionReason };

/** The commands about a report. */
export type ReportCommand =
  | SubmitReport
  | EditReport
  | ApproveReport
  | SetReportStatus
  | PlainCommand;

/** A new address for the page, if the report gets one. */
interface Addressed {
  readonly slug?: string | undefined;
}

/** The commands, with what `report.prepare.ts` adds. */
export type PreparedReportCommand =
  | (SubmitReport & { readonly blind: BlindIndexes; readonly reporterBlind: ReporterBlindIndexes })
  | (EditReport &
      Addressed & {
        /** All blind indexes after the edit, if one of them changed. */
        readonly blind?: BlindIndexes | undefined;
        /** Those of the reporter, if their address changed. */
        readonly reporterBlind?: ReporterBlindIndexes | undefined;
      })
  | (ApproveReport & Addressed)
  | (SetReportStatus & Addressed)
  | PlainCommand;
