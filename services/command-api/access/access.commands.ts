import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** The commands about sealed data. */
export type AccessCommand = OpenReport | ViewEvidence;

/** Staff open a file of a report. */
interface ViewEvidence {
  readonly type: "ViewEvidence";
  readonly reportId: string;
  readonly fileId: string;
  /** Undefined if it was never submitted. */
  readonly report: ReportState | undefined;
}

interface OpenReport {
  /** Staff open a report; an account opens one of its own. */
  readonly type: "RevealReport" | "OpenOwnReport";
  readonly reportId: string;
  /** The report at that revision; undefined if it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
