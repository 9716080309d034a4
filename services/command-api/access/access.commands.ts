import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** What may be asked of sealed data. */
export interface AccessCommand {
  readonly type: "RevealReport";
  readonly reportId: string;
  /** As it stands at the revision; undefined when nobody submitted it. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
