import { given } from "#contracts/given.ts";
import {
  JOB_OUTCOMES,
  type Job,
  type JobLine,
  type JobOutcome,
  type JobState,
  type JobSummary,
} from "#contracts/http/jobs.ts";
import type { findJob, JobLineRow, JobRow } from "./jobs.queries.ts";

/** A job in a list. */
export function presentSummary(row: JobRow): JobSummary {
  const { id, kind, account_id, done, error_code, error_message } = row;
  return {
    id,
    kind,
    account_id,
    // The table's constraint allows no others.
    state: row.state as JobState,
    done,
    created_at: row.created_at.toISOString(),
    ...given({
      total: row.total ?? undefined,
      error: error_code && error_message ? { code: error_code, message: error_message } : undefined,
      stop_asked_by: row.stop_asked_by ?? undefined,
      started_at: row.started_at?.toISOString(),
      ended_at: row.ended_at?.toISOString(),
    }),
  };
}

/** A job with its lines. */
export function presentJob({
  job,
  counts,
  lines,
}: NonNullable<Awaited<ReturnType<typeof findJob>>>): Job {
  const of = (outcome: JobOutcome) => counts.find((row) => row.outcome === outcome)?.count ?? 0;
  return {
    ...presentSummary(job),
    counts: Object.fromEntries(JOB_OUTCOMES.map((name) => [name, of(name)])) as Job["counts"],
    lines: lines.map(presentLine),
  };
}

function presentLine({ number, target, outcome, code, message, at }: JobLineRow): JobLine {
  return {
    number,
    outcome: outcome as JobOutcome,
    at: at.toISOString(),
    ...given({
      target: target ?? undefined,
      code: code ?? undefined,
      message: message ?? undefined,
    }),
  };
}
