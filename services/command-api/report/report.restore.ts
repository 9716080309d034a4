import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { EditReport } from "#contracts/http/moderation.ts";
import { FIELD_LABELS, requiredFields } from "#contracts/report/derive/fields.ts";
import { partOf } from "./report.payload.ts";

/** Fields that are never restored: an earlier reporter address may be a stranger's. */
const NEVER_RESTORED: ReadonlySet<string> = new Set(["report_type", "total_due", "reporter_email"]);

/** The edit that restores an earlier version, except status, verification, questions and newly required values. */
export function restoringEdit(then: ReportState, now: ReportState): EditReport {
  const earlier = toWire(then) as Record<string, unknown>;
  const present = toWire(now) as Record<string, unknown>;
  const required: ReadonlySet<string> = new Set(requiredFields(now.report_type));
  const edit: Record<string, unknown> = {};
  for (const field of Object.keys(FIELD_LABELS)) {
    if (
      NEVER_RESTORED.has(field) ||
      (partOf(field) === "reporter" && !(then.reporter && now.reporter))
    )
      continue;
    const value = earlier[field];
    if (value !== undefined) edit[field] = value;
    else if (present[field] !== undefined && !required.has(field)) edit[field] = null;
  }
  return edit as EditReport;
}

/** The error for a revision that doesn't exist in the report's stream. */
export function noRevision(revision: number): DomainError {
  return new DomainError("not_found", `This report has no version ${revision}`);
}
