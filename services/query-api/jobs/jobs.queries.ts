import { type Selectable, sql } from "kysely";
import type { JobLineTable, ReadableJob } from "#command-tables/job.ts";
import {
  JOB_LINES,
  JOB_OUTCOMES,
  type Job,
  type JobKindName,
  JobLine,
  type JobOutcome,
  type JobState,
  JobSummary,
} from "#contracts/http/jobs.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Maximum number of jobs in the list. */
const LISTED = 50;

const COLUMNS = [
  "id",
  "kind",
  "account_id",
  "state",
  "done",
  "total",
  "error_code",
  "error_message",
  "stop_asked_by",
  "position",
  "created_at",
  "started_at",
  "ended_at",
] as const satisfies (keyof ReadableJob)[];

type JobRow = Selectable<ReadableJob>;
type JobLineRow = Selectable<JobLineTable>;

/**
 * Returns the newest jobs.
 * @param kinds those that the caller may see; undefined for all.
 * @param asked those that the caller requests; undefined for all.
 */
export function newestJobs(
  db: ReadModelDatabase,
  kinds: readonly JobKindName[] | undefined,
  asked: readonly JobKindName[] | undefined,
): Promise<JobRow[]> {
  return db
    .selectFrom("command.job")
    .select(COLUMNS)
    .$if(kinds !== undefined, (query) => query.where("kind", "in", kinds ?? []))
    .$if(asked !== undefined, (query) => query.where("kind", "in", asked ?? []))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(LISTED)
    .execute();
}

/**
 * Returns a job, its counts, and its lines after a number. The job is read first: if it has ended, all lines are
 * there.
 */
export async function findJob(
  db: ReadModelDatabase,
  id: string,
  after: number,
  kinds: readonly JobKindName[] | undefined,
): Promise<
  | {
      readonly job: JobRow;
      readonly counts: readonly { readonly outcome: string; readonly count: number }[];
      readonly lines: readonly JobLineRow[];
    }
  | undefined
> {
  const job = await db
    .selectFrom("command.job")
    .select(COLUMNS)
    .where("id", "=", id)
    .$if(kinds !== undefined, (query) => query.where("kind", "in", kinds ?? []))
    .executeTakeFirst();
  if (!job) return undefined;
  const [counts, lines] = await Promise.all([
    db
      .selectFrom("command.job_line")
      .select(["outcome", sql<number>`count(*)`.as("count")])
      .where("job_id", "=", id)
      .groupBy("outcome")
      .execute(),
    db
      .selectFrom("command.job_line")
      .selectAll()
      .where("job_id", "=", id)
      .where("number", ">", after)
      .orderBy("number")
      .limit(JOB_LINES)
      .execute(),
  ]);
  return { job, counts, lines };
}

/** Returns a job for a list. */
export function presentSummary(row: JobRow): JobSummary {
  const { error_code: code, error_message: message } = row;
  // The table's constraint allows no other states.
  const state = row.state as JobState;
  return shown(JobSummary, { ...row, state, error: code && message ? { code, message } : null });
}

/** Returns a job with its lines. */
export function presentJob({
  job,
  counts,
  lines,
}: NonNullable<Awaited<ReturnType<typeof findJob>>>): Job {
  const of = (outcome: JobOutcome) => counts.find((row) => row.outcome === outcome)?.count ?? 0;
  return {
    ...presentSummary(job),
    counts: Object.fromEntries(JOB_OUTCOMES.map((name) => [name, of(name)])) as Job["counts"],
    lines: lines.map((row) => shown(JobLine, { ...row, outcome: row.outcome as JobOutcome })),
  };
}
