import type { FullReport } from "#contracts/http/report-view.ts";

interface HandedReport {
  readonly report: FullReport;
  /** Time of the first submission (RFC 3339). */
  readonly submittedAt: string;
}

/** In memory only: the browser's history state would be written to disk. */
let handed: HandedReport | undefined;

/** Passes a report to the form that opens next. */
export function passReport(report: HandedReport): void {
  handed = report;
}

/** Returns the report passed to the form, once. */
export function takePassedReport(): HandedReport | undefined {
  const taken = handed;
  handed = undefined;
  return taken;
}
