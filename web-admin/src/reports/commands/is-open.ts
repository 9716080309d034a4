import type { ReportStatus } from "#contracts/report/words.ts";

/** Whether the report waits for somebody to decide. */
export function isOpen(status: ReportStatus): boolean {
  return status === "pending" || status === "under_review";
}
