import type { FullReport } from "#contracts/http/report-view.ts";

interface HandedReport {
  readonly report: FullReport;
  /** RFC 3339 time of the first submission. */
  readonly submittedAt: string;
}

/** In memory only: the browser's history would keep it on disk. */
let handed: HandedReport | undefined;

/** For the form that is opened next. */
export function handOver(report: HandedReport): void {
  handed = report;
}

/** What was handed over to the form, once. */
export function takeHanded(): HandedReport | undefined {
  const taken = handed;
  handed = undefined;
  return taken;
}
