import { isEnded, type Job, type JobLine, type JobSummary } from "#contracts/http/jobs.ts";
import {
  BACKUP_CHECK_ACTION,
  SYSTEM_ACTIONS,
  type SystemActionName,
} from "#contracts/system/actions.ts";
import { formatCount } from "../shared/formats.ts";

/** What each action does, below its button. */
export const ACTION_NOTES: Readonly<Record<SystemActionName, string>> = {
  restart:
    "Lets each process finish what it's doing, then restarts it, all within a minute. Site, console and API may be unavailable for about half a minute.",
  backup:
    "Copies the log, accounts, queued emails and files to the archives, and their keys to a separate place. Then checks the backup and deletes expired ones.",
  "check-updates":
    "Shows which version is running, when it was built, which of its packages have known vulnerabilities, and which servers are older than the oldest safe version. Asks the package registry only if the operator allows it.",
  "security-scan":
    "Checks the configuration, secrets, staff accounts, certificates and database roles, and says what to do about what it finds.",
  "clear-cache":
    "Clears the texts, pictures and figures that processes keep in memory. They're created again the next time they're needed.",
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

/** How far a job is, to follow the words that it runs. */
export function progressWords(
  action: SystemActionName,
  { done, total }: Pick<JobSummary, "done" | "total">,
): string {
  if (total) return `, ${formatCount(done)} of ${formatCount(total)}`;
  return action === "backup" && done > 0 ? `, ${formatCount(done)} MB written` : "";
}

/** Whether an admin has to do something about a line: a finding, or a part that failed. */
export function needsAttention(outcome: JobLine["outcome"]): boolean {
  return outcome === "refused" || outcome === "failed";
}

/** The lines that need attention before the others. */
export function attentionFirst(lines: readonly JobLine[]): readonly JobLine[] {
  return lines.toSorted(
    (a, b) => Number(needsAttention(b.outcome)) - Number(needsAttention(a.outcome)),
  );
}

/** How many lines of a job need attention, to follow the sentence of its end; undefined where none does. */
export function attentionWords({ counts, lines }: Job): string | undefined {
  const n = counts.refused + counts.failed;
  if (n === 0) return undefined;
  return `: ${n} of ${lines.length} ${n === 1 ? "needs" : "need"} attention.`;
}

/** Whether all went well: the job is done, and every line of it. */
export function isWell({ state, counts }: Job): boolean {
  return state === "done" && counts.failed === 0 && counts.refused === 0;
}

/** A line of the history: what was done and how it ended; undefined while it runs, and for other jobs. */
export function historyWords(job: JobSummary): string | undefined {
  const { kind, state, error } = job;
  if (!isEnded(state)) return undefined;
  if (isSystemAction(kind)) return endSentence(kind, job);
  const why = error ? `: ${error.message}` : "";
  if (kind !== BACKUP_CHECK_ACTION) return undefined;
  return `Backup check ${state === "done" ? "completed" : state}${why}`;
}

/** Whether a job is an action of the System page. */
export const isSystemAction = (kind: string): kind is SystemActionName =>
  Object.hasOwn(SYSTEM_ACTIONS, kind);
