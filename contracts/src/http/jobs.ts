import { type Static, Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTION_NAMES, SYSTEM_ACTIONS } from "../system/actions.ts";
import { reply } from "./envelope.ts";
import { DECISIONS, MODERATION } from "./moderation.ts";

/** Lists the newest jobs. */
export const JOBS = "/prod/api/system/jobs";
export const JOB = `${JOBS}/:id`;

/** Kinds of jobs and their display names. Stored jobs refer to the keys, so they never change. */
const JOB_KINDS = {
  bulk: "Decide reports",
  ...SYSTEM_ACTIONS,
  log_check: "Check the event log",
  "check-backups": "Check backups",
} as const;
export type JobKindName = keyof typeof JOB_KINDS;

/** Jobs that auditors may also start, follow and stop. All others are for admins. */
export const JOBS_OF_AUDITORS = ["log_check"] as const satisfies readonly JobKindName[];

/** The kinds of jobs shown on each page of the console. */
export const JOBS_OF = {
  system: [...SYSTEM_ACTION_NAMES, BACKUP_CHECK_ACTION],
  log: ["log_check"],
} as const satisfies Record<string, readonly JobKindName[]>;
export type JobsOf = keyof typeof JOBS_OF;

/** The kinds of jobs that a role has access to; undefined for all of them. */
export function jobKindsOf(role: string): readonly JobKindName[] | undefined {
  if (role === "admin") return undefined;
  return role === "auditor" ? JOBS_OF_AUDITORS : [];
}

/** Only the last three are final. */
const JOB_STATES = {
  queued: "Waiting",
  running: "Running",
  stopping: "Stopping",
  stopped: "Stopped",
  done: "Done",
  failed: "Failed",
} as const;
export type JobState = keyof typeof JOB_STATES;

export function isEnded(state: JobState): boolean {
  return state === "stopped" || state === "done" || state === "failed";
}

/** `conflict`: changed since. `refused`: by its state or a rule. `gone`: doesn't exist. `failed`: can be retried. */
export const JOB_OUTCOMES = ["done", "conflict", "refused", "gone", "failed"] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** Maximum lines in one reply, and reports in one bulk decision. */
export const JOB_LINES = 1000;
/** Days that an ended job is kept. */
export const JOB_DAYS = 30;

const opt = Type.Optional;
const Id = Type.String({ format: "uuid" });
const State = Type.Enum(Object.keys(JOB_STATES) as JobState[]);

export const JobLine = strict({
  /** Counted from 1, in processing order. */
  number: Type.Integer(),
  /** For example, a report's ID. */
  target: opt(Type.String()),
  outcome: Type.Enum([...JOB_OUTCOMES]),
  /** Code and message of a refusal. */
  code: opt(Type.String()),
  message: opt(Type.String()),
  at: Type.String(),
});
export type JobLine = Static<typeof JobLine>;

const summary = {
  id: Id,
  kind: Type.String(),
  state: State,
  /** The account that started it. */
  account_id: Id,
  /** The account's name. Absent if unknown, and in the reply for a single job. */
  by: opt(Type.String()),
  done: Type.Integer(),
  /** Absent if unknown. */
  total: opt(Type.Integer()),
  error: opt(strict({ code: Type.String(), message: Type.String() })),
  stop_asked_by: opt(Id),
  created_at: Type.String(),
  started_at: opt(Type.String()),
  ended_at: opt(Type.String()),
};

/** A job without its lines. */
export const JobSummary = strict(summary);
export type JobSummary = Static<typeof JobSummary>;

const Counts = strict(
  Object.fromEntries(JOB_OUTCOMES.map((outcome) => [outcome, Type.Integer()])) as Record<
    JobOutcome,
    Type.TInteger
  >,
);

/** A job with its lines after the one in the query. */
export const Job = strict({ ...summary, counts: Counts, lines: Type.Array(JobLine) });
export type Job = Static<typeof Job>;

/** GET /prod/api/system/jobs/{id} */
export const JobQuery = strict({ after: opt(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) });
export const JobReply = reply(Job);
/** GET /prod/api/system/jobs: the jobs of one page, or all. */
export const JobsQuery = strict({ of: opt(Type.Enum(Object.keys(JOBS_OF) as JobsOf[])) });
export const JobsReply = reply(strict({ jobs: Type.Array(JobSummary) }));
/** The reply of every command that starts a job. */
export const JobStartedReply = reply(strict({ job_id: Id }));
export type JobStarted = Static<typeof JobStartedReply>["data"];
/** POST /prod/api/system/jobs/{id}/stop */
export const JobStopReply = reply(strict({ id: Id, state: State }));

/** Decides many reports with one request. */
export const BULK = "/prod/api/admin/reports/bulk";

/** Maximum reports in one request. */
export const BULK_REPORTS = JOB_LINES;

/** Fields of all commands; each uses only its own. */
const { properties: rejection } = Type.Partial(MODERATION.reject.body);

/** POST /prod/api/admin/reports/bulk */
export const BulkBody = strict({
  command: Type.Enum([...DECISIONS]),
  status: Type.Optional(ReportStatusCode),
  ...rejection,
  /** With the revision that the sender saw: a report changed since then is left alone. */
  reports: Type.Array(
    strict({ id: ReportId, revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    { minItems: 1, maxItems: BULK_REPORTS },
  ),
});
export type BulkBody = Static<typeof BulkBody>;
