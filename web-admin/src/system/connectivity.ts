import type { SystemStatus } from "#contracts/http/system.ts";
import type { SystemCalls, TriedCall } from "../data/system-calls.ts";
import {
  ASKED_NAMES,
  failureReason,
  followWords,
  PART_NAMES,
  processName,
  processState,
  STATUS_NAMES,
  silentProcesses,
} from "./system-words.ts";

/** What one check found. */
export interface Outcome {
  readonly name: string;
  readonly isWell: boolean;
  readonly words: string;
  readonly ms?: number;
}

const CALLS: Readonly<Record<TriedCall | "system", string>> = {
  dashboard: "Dashboard API",
  users: "Users API",
  reports: "Reports API",
  system: "System API",
};

/** Makes all calls at the same time, then lists what the registry says about its parts, its tables and its processes. */
export async function runChecks(
  provider: Pick<SystemCalls, "systemStatus" | "tryCall">,
  now: () => number = () => performance.now(),
): Promise<Outcome[]> {
  let status: SystemStatus | undefined;
  const calls: Readonly<Record<keyof typeof CALLS, () => Promise<void>>> = {
    dashboard: () => provider.tryCall("dashboard"),
    users: () => provider.tryCall("users"),
    reports: () => provider.tryCall("reports"),
    async system() {
      status = (await provider.systemStatus()).data;
    },
  };
  const outcomes = await Promise.all(
    (Object.keys(calls) as (keyof typeof CALLS)[]).map(async (name) => {
      const start = now();
      const failure = await calls[name]().then(
        () => undefined,
        (error: unknown) => failureReason(error),
      );
      const words = failure === undefined ? "working" : `failed: ${failure}`;
      return {
        name,
        isWell: failure === undefined,
        words: `${CALLS[name]} ${words}`,
        ms: Math.round(now() - start),
      };
    }),
  );
  if (!status) return outcomes;
  return [
    ...outcomes,
    ...status.parts.map(partOutcome),
    tablesOutcome(status),
    ...processOutcomes(status),
  ];
}

function partOutcome({ part, status, ms }: SystemStatus["parts"][number]): Outcome {
  return {
    name: part,
    isWell: status === "connected",
    words: `${PART_NAMES[part]}: ${STATUS_NAMES[status].toLowerCase()}`,
    ...(ms === undefined ? {} : { ms }),
  };
}

/** Whether the tables follow the event log, and nothing is parked. */
function tablesOutcome({ processors }: SystemStatus): Outcome {
  const { value, note, isWell } = followWords(processors);
  return { name: "tables", isWell, words: `Tables: ${value.toLowerCase()}, ${note.toLowerCase()}` };
}

const GONE_ADVICE =
  "If no other process has taken its place, start it again. Its log says why it ended. This line disappears an hour after it was last seen.";
const SILENT_ADVICE =
  "See whether web or HAProxy runs there, and whether query-api reaches its OPERATIONS_PORT.";

/** Each process that was there within the last hour, and each that is asked. */
function processOutcomes({ processes, asked }: SystemStatus): Outcome[] {
  const reported = processes.map((process) => {
    const isWell = process.state === "running";
    const words = `${processName(process)}: ${processState(process).toLowerCase()}`;
    return { name: process.id, isWell, words: isWell ? words : `${words}. ${GONE_ADVICE}` };
  });
  const told = asked.flatMap(({ address, figures }, index) =>
    figures
      ? [
          {
            name: `asked ${address} ${index}`,
            isWell: true,
            words: `${ASKED_NAMES[figures.service]}: running`,
          },
        ]
      : [],
  );
  const silent = silentProcesses(asked).map((name) => ({
    name,
    isWell: false,
    words: `${name} does not answer. ${SILENT_ADVICE}`,
  }));
  return [...reported, ...told, ...silent];
}
