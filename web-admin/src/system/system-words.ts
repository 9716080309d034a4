import type {
  AskedProcess,
  PartMode,
  PartStatus,
  PartSummary,
  ProcessorReport,
  SystemPart,
  SystemProcess,
} from "#contracts/http/system.ts";
import { ApiError } from "../data/api-error.ts";
import { counted, formatCount } from "../shared/formats.ts";

export const PART_NAMES: Readonly<Record<SystemPart, string>> = {
  database: "Database",
  redis: "Redis Cache",
  s3: "S3 Storage",
  email: "Email Service",
  search: "Search",
  event_log: "Event Log",
  keys: "Keys",
};

/** The cards in their order. */
export const PARTS = Object.keys(PART_NAMES) as SystemPart[];

export const STATUS_NAMES: Readonly<Record<PartStatus, string>> = {
  connected: "Connected",
  disconnected: "Disconnected",
  error: "Error",
};

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
  return ms === undefined ? "No process runs that could check it" : `${where}, ${ms} ms`;
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

export function formatCpu(percent: number): string {
  return `${percent.toFixed(1)} %`;
}

/** "All services", or what runs in the process. */
export function processName({ services }: Pick<SystemProcess, "services">): string {
  return services.join(", ");
}

export const ASKED_NAMES = { web: "web", haproxy: "HAProxy" } as const;

/** "Running", or since when it is gone. */
export function processState({ state, reported }: SystemProcess): string {
  return state === "running" ? "Running" : `Gone, last seen ${formatUptime(reported)} ago`;
}

/** Names a process that was asked and did not tell what it takes; once where a name has more such processes. */
export function silentProcesses(asked: readonly AskedProcess[]): string[] {
  const silent = new Set(asked.flatMap(({ address, figures }) => (figures ? [] : [address])));
  return [...silent].map((address) => `A process at address ${address} of OPERATIONS_URLS`);
}

const PROCESSOR_STATES: Readonly<Record<string, string>> = {
  live: "Follows the log",
  starting: "Starts",
  rebuilding: "Is rebuilt",
  stalled: "Stands still",
  stopped: "Stopped",
};

export function processorState({ state }: Pick<ProcessorReport, "state">): string {
  return PROCESSOR_STATES[state] ?? state;
}

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
