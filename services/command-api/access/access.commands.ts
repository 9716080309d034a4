import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** The commands about sealed data. */
export interface AccessCommand {
  readonly type: "RevealReport";
  readonly reportId: string;
  /** The report at that revision; undefined if it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
