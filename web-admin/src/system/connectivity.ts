import type { PartSummary } from "#contracts/http/system.ts";
import type { SystemCalls, TriedCall } from "../data/system-calls.ts";
import { failureReason, PART_NAMES, STATUS_NAMES } from "./system-words.ts";

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

/** Makes all calls at the same time, then lists what the registry says about each of its parts. */
export async function runChecks(
  provider: Pick<SystemCalls, "systemStatus" | "tryCall">,
  now: () => number = () => performance.now(),
): Promise<Outcome[]> {
  let parts: readonly PartSummary[] = [];
  const calls: Readonly<Record<keyof typeof CALLS, () => Promise<void>>> = {
    dashboard: () => provider.tryCall("dashboard"),
    users: () => provider.tryCall("users"),
    reports: () => provider.tryCall("reports"),
    async system() {
      ({ parts } = (await provider.systemStatus()).data);
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
  return [...outcomes, ...parts.map(outcomeOf)];
}

function outcomeOf({ part, status, ms }: PartSummary): Outcome {
  return {
    name: part,
    isWell: status === "connected",
    words: `${PART_NAMES[part]}: ${STATUS_NAMES[status].toLowerCase()}`,
    ...(ms === undefined ? {} : { ms }),
  };
}
