import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** The commands about sealed data. */
export interface AccessCommand {
  /** Staff open a report; an account opens one of its own. */
  readonly type: "RevealReport" | "OpenOwnReport";
  readonly reportId: string;
  /** The report at that revision; undefined if it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
