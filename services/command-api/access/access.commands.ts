import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** What may be asked of sealed data. */
export interface AccessCommand {
  readonly type: "RevealReport";
  readonly reportId: string;
  /** The report at that revision; undefined when it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
