import type { KeptBackup } from "#contracts/http/backups.ts";
import { isEnded, type Job, type JobLine, type JobSummary } from "#contracts/http/jobs.ts";
import type {
  AskedProcess,
  PartMode,
  PartSummary,
  ProcessorReport,
  SystemPart,
  SystemProcess,
} from "#contracts/http/system.ts";
import {
  BACKUP_CHECK_ACTION,
  SYSTEM_ACTIONS,
  type SystemActionName,
} from "#contracts/system/actions.ts";
import { ApiError } from "../data/api-error.ts";
import { counted, formatCount } from "../shared/formats.ts";

/** URL of the registry's status. */
export const STATUS_URL = "/prod/api/system/status";

/** The embedded replacement of each server that a card is named after. */
const EMBEDDED: Partial<Record<SystemPart, string>> = {
  redis: "Embedded: a queue in the database",
  s3: "Embedded: files in a folder",
  email: "Embedded: emails in a folder",
};
const MODES: Readonly<Record<PartMode, string>> = { embedded: "Embedded", external: "External" };

/** Returns e.g. "Embedded, 3 ms". */
export function partNote({ part, mode, ms }: PartSummary): string {
  const where = mode === "embedded" ? (EMBEDDED[part] ?? MODES.embedded) : MODES[mode];
  return ms === undefined ? "No running process can check it" : `${where}, ${ms} ms`;
}

/** Formats a duration, e.g. "3 d 4 h", "4 h 5 min", "5 min 6 s" or "6 s". */
export function formatUptime(seconds: number): string {
  const units = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first === -1) return "0 s";
  let left = seconds;
  const parts = units.slice(first, first + 2).flatMap(([size, name]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${formatCount(count)} ${name}`] : [];
  });
  return parts.join(" ");
}

/** Formats memory, e.g. "412 MB", in units of 1,048,576 bytes like file sizes in the console. */
export function formatMemory(bytes: number): string {
  return `${formatCount(Math.round(bytes / 2 ** 20))} MB`;
}

export const formatCpu = (percent: number) => `${percent.toFixed(1)}%`;

export const processName = ({ services }: SystemProcess) => services.join(", ");

export const ASKED_NAMES = { web: "web", haproxy: "HAProxy" } as const;

/** Returns "Running", or how long ago the process was last seen. */
export function processState({ state, reported }: SystemProcess): string {
  return state === "running" ? "Running" : `Not running, last seen ${formatUptime(reported)} ago`;
}

/** Returns names for processes that were polled without an answer; only once per address. */
export function silentProcesses(asked: readonly AskedProcess[]): string[] {
  const silent = new Set(asked.flatMap(({ address, figures }) => (figures ? [] : [address])));
  return [...silent].map((address) => `The process at address ${address} of OPERATIONS_URLS`);
}

const PROCESSOR_STATES: Readonly<Record<string, string>> = {
  live: "Following the log",
  starting: "Starting",
  rebuilding: "Rebuilding",
  stalled: "Stalled",
  stopped: "Stopped",
};

export const processorState = (state: string) => PROCESSOR_STATES[state] ?? state;

/** Summarizes how far the tables are behind the event log. */
export function projectionText(processors: readonly ProcessorReport[]): {
  readonly value: string;
  readonly note: string;
  readonly isWell: boolean;
} {
  if (processors.length === 0)
    return { value: "Not running", note: "No projector reports", isWell: false };
  const behind = Math.max(...processors.map(({ seconds_behind }) => seconds_behind));
  const parked = processors.reduce((sum, { parked }) => sum + parked, 0);
  return {
    value: behind === 0 ? "Up to date" : `${formatUptime(behind)} behind`,
    note:
      parked === 0
        ? `${counted(processors.length, "table group", "table groups")}, nothing parked`
        : `${counted(parked, "stream", "streams")} parked`,
    isWell: behind < 30 && parked === 0,
  };
}

/** Returns why a call failed: the server's message, otherwise the wording of the specification. */
export function failureReason(error: unknown): string {
  if (error instanceof ApiError && error.status > 0)
    return error.message || `HTTP error! status: ${error.status}`;
  return error instanceof Error && error.message ? error.message : "Unknown error";
}

/** Description of each action, below its button. */
export const ACTION_NOTES: Readonly<Record<SystemActionName, string>> = {
  restart:
    "Lets each process finish what it's doing, then restarts it, all within a minute. Site, console and API may be unavailable for about half a minute.",
  backup:
    "Copies the log, accounts, queued emails and files to the archives, and their keys to a separate place. Then checks the backup and deletes expired ones.",
  "check-updates":
    "Shows which version is running, when it was built, which of its packages have known vulnerabilities, and which servers are older than the oldest safe version. Asks the package registry only if the operator allows it.",
  "security-scan":
    "Checks the configuration, secrets, staff accounts, certificates and database roles, and recommends fixes.",
  "clear-cache":
    "Clears the texts, pictures and figures that processes keep in memory. They're created again the next time they're needed.",
};

/** Returns e.g. "Clear cache". */
export function actionName(action: SystemActionName): string {
  const title: string = SYSTEM_ACTIONS[action];
  return title.charAt(0) + title.slice(1).toLowerCase();
}

/** Describes how a job ended, in the wording of the specification. */
export function endSentence(action: SystemActionName, job: JobSummary): string {
  if (job.state === "done") return `${actionName(action)} completed successfully`;
  if (job.state === "stopped") return `${actionName(action)} was stopped`;
  const why = job.error ? `: ${job.error.message}` : "";
  return `Failed to ${actionName(action).toLowerCase()}${why}`;
}

/** Returns a job's progress as a suffix for its status text. */
export function progressText(
  action: SystemActionName,
  { done, total }: Pick<JobSummary, "done" | "total">,
): string {
  if (total) return `, ${formatCount(done)} of ${formatCount(total)}`;
  return action === "backup" && done > 0 ? `, ${formatCount(done)} MB written` : "";
}

/** Whether a line needs action by an admin: a finding, or a part that failed. */
export function needsAttention(outcome: JobLine["outcome"]): boolean {
  return outcome === "refused" || outcome === "failed";
}

/** Sorts lines that need attention first. */
export function attentionFirst(lines: readonly JobLine[]): readonly JobLine[] {
  return lines.toSorted(
    (a, b) => Number(needsAttention(b.outcome)) - Number(needsAttention(a.outcome)),
  );
}

/** Returns how many lines need attention, as a suffix for the sentence about its end; undefined if none do. */
export function attentionText({ counts, lines }: Job): string | undefined {
  const n = counts.refused + counts.failed;
  if (n === 0) return undefined;
  return `: ${n} of ${lines.length} ${n === 1 ? "needs" : "need"} attention.`;
}

/** Whether the job and all of its lines succeeded. */
export function isWell({ state, counts }: Job): boolean {
  return state === "done" && counts.failed === 0 && counts.refused === 0;
}

/** Returns a line of the history, what was done and how it ended; undefined while it runs, and for other jobs. */
export function historyText(job: JobSummary): string | undefined {
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

/** Describes whether a backup can be restored now, and with which key. */
export function stateText({ state, key_versions, current_key }: KeptBackup): string {
  const versions = key_versions.join(" and ");
  return {
    opens: `Opens with ${current_key ? "the current" : "a previous"} key (version ${versions})`,
    other_key: `Needs master key version ${versions}`,
    no_keys: "Keys missing",
    no_archive: "Archive missing",
    unreadable: "Can't be read",
    mismatched: "Archive and keys don't match",
  }[state];
}

export function makerText({ by_hand }: Pick<KeptBackup, "by_hand">): string {
  if (by_hand === undefined) return "Unknown";
  return by_hand ? "Manual" : "Scheduled";
}

/** Describes a check of backups. @param name of the backup being verified; without it, the list is refreshed. */
export function backupCheckText(name: string | undefined, job: Job | undefined): string {
  if (!job || !isEnded(job.state))
    return name ? `Verifying ${name}` : "Checking which backups are kept";
  if (job.state === "stopped")
    return name ? `${name} wasn't verified.` : "The list wasn't refreshed.";
  if (job.state === "done")
    return name ? `${name} is complete and can be restored.` : "The list is up to date.";
  const what = name ? `Couldn't verify ${name}` : "Couldn't list the backups";
  return job.error ? `${what}: ${job.error.message}` : what;
}
