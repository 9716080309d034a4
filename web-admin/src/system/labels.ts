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

/** Where the state of the registry is read. */
export const STATUS_URL = "/prod/api/system/status";

/** What stands in for the server that a card is named after, where the registry brings its own. */
const EMBEDDED: Partial<Record<SystemPart, string>> = {
  redis: "Embedded: a queue in the database",
  s3: "Embedded: files in a folder",
  email: "Embedded: emails in a folder",
};
const MODES: Readonly<Record<PartMode, string>> = { embedded: "Embedded", external: "External" };

/** "Embedded, 3 ms". */
export function partNote({ part, mode, ms }: PartSummary): string {
  const where = mode === "embedded" ? (EMBEDDED[part] ?? MODES.embedded) : MODES[mode];
  return ms === undefined ? "No running process can check it" : `${where}, ${ms} ms`;
}

/** "3 d 4 h", "4 h 5 min", "5 min 6 s", "6 s". */
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

/** "412 MB", in units of 1,048,576 bytes, as the console counts files too. */
export function formatMemory(bytes: number): string {
  return `${formatCount(Math.round(bytes / 2 ** 20))} MB`;
}

export const formatCpu = (percent: number) => `${percent.toFixed(1)}%`;

export const processName = ({ services }: SystemProcess) => services.join(", ");

export const ASKED_NAMES = { web: "web", haproxy: "HAProxy" } as const;

/** "Running", or how long ago it was last seen. */
export function processState({ state, reported }: SystemProcess): string {
  return state === "running" ? "Running" : `Not running, last seen ${formatUptime(reported)} ago`;
}

/** Names a process that was asked and did not tell what it takes; once where a name has more such processes. */
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

/** How the tables as a whole follow the event log. */
export function followWords(processors: readonly ProcessorReport[]): {
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

/** Why a call failed, in the words of the spec where the server has none of its own. */
export function failureReason(error: unknown): string {
  if (error instanceof ApiError && error.status > 0)
    return error.message || `HTTP error! status: ${error.status}`;
  return error instanceof Error && error.message ? error.message : "Unknown error";
}

/** What each action does, below its button. */
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

/** Whether a backup can be restored now, and with which key. */
export function stateWords({ state, key_versions, current_key }: KeptBackup): string {
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

export function makerWords({ by_hand }: Pick<KeptBackup, "by_hand">): string {
  if (by_hand === undefined) return "Unknown";
  return by_hand ? "By hand" : "Scheduled";
}

/** "12.4 MB", as sizes of backups are told elsewhere. */
export function sizeWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** What a check of backups does or has come to. @param name of the one that is verified; all are listed without one. */
export function checkWords(name: string | undefined, job: Job | undefined): string {
  if (!job || !isEnded(job.state))
    return name ? `Verifying ${name}` : "Checking which backups are kept";
  if (job.state === "stopped")
    return name ? `${name} wasn't verified.` : "The list wasn't refreshed.";
  if (job.state === "done")
    return name ? `${name} is complete and can be restored.` : "The list is up to date.";
  const what = name ? `Couldn't verify ${name}` : "Couldn't list the backups";
  return job.error ? `${what}: ${job.error.message}` : what;
}
