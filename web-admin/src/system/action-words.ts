import { isEnded, type Job, type JobSummary } from "#contracts/http/jobs.ts";
import { SYSTEM_ACTIONS, type SystemActionName } from "#contracts/system/actions.ts";
import { formatInstant } from "../shared/formats.ts";
import { sentenceCase } from "../shared/labels.ts";

/** What each action does, below its button. */
export const ACTION_NOTES: Readonly<Record<SystemActionName, string>> = {
  "security-scan":
    "Looks at the configuration, the secrets, the accounts of staff, certificates and database roles, and says what to do about what it finds.",
  "clear-cache":
    "Empties rendered texts, pictures and figures that the processes keep in memory. They are made again when they are next asked for.",
};

/** "Clear cache". */
export function actionName(action: SystemActionName): string {
  const title: string = SYSTEM_ACTIONS[action];
  return title.charAt(0) + title.slice(1).toLowerCase();
}

/** How a job ended, in the words of the spec. */
export function endSentence(action: SystemActionName, job: JobSummary): string {
  if (job.state === "done") return `${actionName(action)} completed successfully`;
  if (job.state === "stopped") return `${actionName(action)} was stopped`;
  const why = job.error ? `: ${job.error.message}` : "";
  return `Failed to ${actionName(action).toLowerCase()}${why}`;
}

/** Whether all went well: the job is done, and every line of it. */
export function isWell({ state, counts }: Job): boolean {
  return state === "done" && counts.failed === 0 && counts.refused === 0;
}

/** When an action last ran and how it ended; undefined where nobody knows. */
export function lastRun(action: SystemActionName, jobs: readonly JobSummary[]): string | undefined {
  const last = jobs.find(({ kind }) => kind === action);
  if (!last) return undefined;
  const state = isEnded(last.state) ? last.state : "runs";
  return `Last: ${sentenceCase(state).toLowerCase()}, ${formatInstant(last.ended_at ?? last.created_at)}`;
}
