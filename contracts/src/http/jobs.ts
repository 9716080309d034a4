import { type Static, Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTION_NAMES, SYSTEM_ACTIONS } from "../system/actions.ts";
import { reply } from "./envelope.ts";
import { DECISIONS, MODERATION } from "./moderation.ts";

/** The newest jobs, and below it one job. */
export const JOBS = "/prod/api/system/jobs";
export const JOB = `${JOBS}/:id`;

/** Every kind of job with its name for people. A stored job names its kind, so a name never changes. */
const JOB_KINDS = {
  bulk: "Decide reports",
  ...SYSTEM_ACTIONS,
  log_check: "Check the event log",
  "check-backups": "Check backups",
} as const;
export type JobKindName = keyof typeof JOB_KINDS;

/** Jobs that auditors begin, follow and stop as well. All others are for admins. */
export const JOBS_OF_AUDITORS = ["log_check"] as const satisfies readonly JobKindName[];

/** The kinds of jobs that a page of the console is about. */
export const JOBS_OF = {
  system: [...SYSTEM_ACTION_NAMES, BACKUP_CHECK_ACTION],
  log: ["log_check"],
} as const satisfies Record<string, readonly JobKindName[]>;
export type JobsOf = keyof typeof JOBS_OF;

/** The kinds of jobs that someone with this role deals with; undefined for all of them. */
export function jobKindsOf(role: string): readonly JobKindName[] | undefined {
  if (role === "admin") return undefined;
  return role === "auditor" ? JOBS_OF_AUDITORS : [];
}

/** The states of a job. The last three are final. */
const JOB_STATES = {
  queued: "Waiting",
  running: "Running",
  stopping: "Stopping",
  stopped: "Stopped",
  done: "Done",
  failed: "Failed",
} as const;
export type JobState = keyof typeof JOB_STATES;

/** Whether a job's state will not change anymore. */
export function isEnded(state: JobState): boolean {
  return state === "stopped" || state === "done" || state === "failed";
}

/** `conflict`: changed since. `refused`: by its state or a rule. `gone`: not there. `failed`: it may be tried again. */
export const JOB_OUTCOMES = ["done", "conflict", "refused", "gone", "failed"] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** Most lines in one reply, and most things in one bulk decision. */
export const JOB_LINES = 1000;
/** Days that a job is kept after its end. */
export const JOB_DAYS = 30;

const opt = Type.Optional;
const Id = Type.String({ format: "uuid" });
const State = Type.Enum(Object.keys(JOB_STATES) as JobState[]);

export const JobLine = strict({
  /** From 1 on, in the order in which they were done. */
  number: Type.Integer(),
  /** What it is about, for instance a report's id. */
  target: opt(Type.String()),
  outcome: Type.Enum([...JOB_OUTCOMES]),
  /** Code and sentence of a refusal. */
  code: opt(Type.String()),
  message: opt(Type.String()),
  at: Type.String(),
});
export type JobLine = Static<typeof JobLine>;

const summary = {
  id: Id,
  kind: Type.String(),
  state: State,
  /** Whoever started it. */
  account_id: Id,
  /** Their name; absent where it is not known, and for one job alone. */
  by: opt(Type.String()),
  done: Type.Integer(),
  /** Absent where no one knows. */
  total: opt(Type.Integer()),
  /** Why it failed. */
  error: opt(strict({ code: Type.String(), message: Type.String() })),
  /** Who asked it to stop. */
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

/** A job with the lines after the one that the query names. */
export const Job = strict({ ...summary, counts: Counts, lines: Type.Array(JobLine) });
export type Job = Static<typeof Job>;

/** GET /prod/api/system/jobs/{id} */
export const JobQuery = strict({ after: opt(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) });
export const JobReply = reply(Job);
/** GET /prod/api/system/jobs: those of one page, or all. */
export const JobsQuery = strict({ of: opt(Type.Enum(Object.keys(JOBS_OF) as JobsOf[])) });
export const JobsReply = reply(strict({ jobs: Type.Array(JobSummary) }));
/** The reply of every command that starts a job. */
export const JobStartedReply = reply(strict({ job_id: Id }));
export type JobStarted = Static<typeof JobStartedReply>["data"];
/** POST /prod/api/system/jobs/{id}/stop */
export const JobStopReply = reply(strict({ id: Id, state: State }));

/** Decides many reports by one request. */
export const BULK = "/prod/api/admin/reports/bulk";

/** Most reports in one request. */
export const BULK_REPORTS = JOB_LINES;

/** What the commands take in all; each takes only its own fields. */
const { properties: rejection } = Type.Partial(MODERATION.reject.body);

/** POST /prod/api/admin/reports/bulk */
export const BulkBody = strict({
  command: Type.Enum([...DECISIONS]),
  status: Type.Optional(ReportStatusCode),
  ...rejection,
  /** Each with the revision that the sender has seen: one that others changed meanwhile stays as it is. */
  reports: Type.Array(
    strict({ id: ReportId, revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    { minItems: 1, maxItems: BULK_REPORTS },
  ),
});
export type BulkBody = Static<typeof BulkBody>;
