import { PART_STATUSES, SYSTEM_PARTS, type SystemStatus } from "#contracts/http/system.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import {
  ASKED_NAMES,
  failureReason,
  processName,
  processState,
  projectionText,
  STATUS_URL,
  silentProcesses,
} from "./labels.ts";

/** The result of one check. */
export interface Outcome {
  readonly name: string;
  readonly isWell: boolean;
  readonly words: string;
  readonly ms?: number;
}

/** The page of the list that the specification requires for this test. */
const FIRST_PAGE = "page=1&limit=5";
const CALLS = [
  ["Dashboard API", "/dashboard"],
  ["Users API", `/users?${FIRST_PAGE}`],
  ["Reports API", `/reports?${FIRST_PAGE}`],
  ["System API", STATUS_URL],
] as const;

/**
 * Makes all calls concurrently, then lists the status that the registry reports for its parts, tables and processes.
 */
export async function runChecks(
  provider: Pick<ConsoleDataProvider, "read">,
  now: () => number = () => performance.now(),
): Promise<Outcome[]> {
  const answers = await Promise.all(
    CALLS.map(async ([name, url]) => {
      const start = now();
      const { data, failure } = await provider.read<unknown>(url).then(
        (data) => ({ data, failure: undefined }),
        (error: unknown) => ({ data: undefined, failure: failureReason(error) }),
      );
      const isWell = failure === undefined;
      const words = `${name} ${isWell ? "working" : `failed: ${failure}`}`;
      return { data, outcome: { name, isWell, words, ms: Math.round(now() - start) } };
    }),
  );
  const outcomes = answers.map(({ outcome }) => outcome);
  const status = answers.at(-1)?.data as SystemStatus | undefined;
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
    words: `${SYSTEM_PARTS[part]}: ${PART_STATUSES[status].toLowerCase()}`,
    ...(ms === undefined ? {} : { ms }),
  };
}

function tablesOutcome({ processors }: SystemStatus): Outcome {
  const { value, note, isWell } = projectionText(processors);
  return { name: "tables", isWell, words: `Tables: ${value.toLowerCase()}, ${note.toLowerCase()}` };
}

const GONE_ADVICE =
  "If no other process has taken its place, restart it. Its log shows why it stopped. This line disappears an hour after it was last seen.";
const SILENT_ADVICE =
  "Check that web or HAProxy is running there and that query-api can reach its OPERATIONS_PORT.";

/** One outcome for each process seen within the last hour, and for each process that is polled. */
function processOutcomes({ processes, asked }: SystemStatus): Outcome[] {
  const reported = processes.map((process) => {
    const isWell = process.state === "running";
    const words = `${processName(process)}: ${processState(process).toLowerCase()}`;
    return { name: process.id, isWell, words: isWell ? words : `${words}. ${GONE_ADVICE}` };
  });
  const told = asked.flatMap(({ address, figures }, index) => {
    if (!figures) return [];
    const words = `${ASKED_NAMES[figures.service]}: running`;
    return { name: `asked ${address} ${index}`, isWell: true, words };
  });
  const silent = silentProcesses(asked).map((name) => ({
    name,
    isWell: false,
    words: `${name} isn't responding. ${SILENT_ADVICE}`,
  }));
  return [...reported, ...told, ...silent];
}
