import type { ReportStatus } from "#contracts/report/words.ts";

/** The decisions that a moderator can make about a report's status. */
export type Decision = "approve" | "reject" | "review" | "reopen";

export const DECISION_LABELS: Readonly<Record<Decision, string>> = {
  approve: "Approve",
  reject: "Reject…",
  review: "Put under review",
  reopen: "Set back to pending",
};

const FROM: Readonly<Record<ReportStatus, readonly Decision[]>> = {
  pending: ["approve", "reject", "review"],
  under_review: ["approve", "reject", "reopen"],
  approved: ["reject", "review", "reopen"],
  rejected: ["approve", "review", "reopen"],
};

/** The decisions that are possible in a status, most likely first. */
export function decisionsFrom(status: ReportStatus): readonly Decision[] {
  return FROM[status];
}

/** Whether the report waits for a decision. */
export function isOpen(status: ReportStatus): boolean {
  return status === "pending" || status === "under_review";
}
