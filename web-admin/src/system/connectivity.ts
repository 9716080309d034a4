import type { SystemStatus } from "#contracts/http/system.ts";
import type { SystemCalls, TriedCall } from "../data/system-calls.ts";
import { failureReason, followWords, PART_NAMES, STATUS_NAMES } from "./system-words.ts";

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

/** Makes all calls at the same time, then lists what the registry says about each of its parts and about its tables. */
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
  return status ? [...outcomes, ...status.parts.map(partOutcome), tablesOutcome(status)] : outcomes;
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
