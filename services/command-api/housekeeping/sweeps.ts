import type { Logger } from "pino";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { ObservedCalls } from "../security/observed-calls.ts";
import { type HousekeepingDeps, houseKeep } from "./housekeeping.ts";

const HOUR_MS = 3_600_000;
/** How soon what was observed is in the audit log. */
const OBSERVED_MS = 10_000;

interface Deps extends HousekeepingDeps {
  readonly observed: Pick<ObservedCalls, "record">;
}

/** The regular housekeeping of one process. */
export function createSweeps(deps: Deps, log: Pick<Logger, "warn">): readonly Periodic[] {
  const warn = (sentence: string) => (err: unknown) => log.warn({ err }, sentence);
  return [
    new Periodic(() => houseKeep(deps, Date.now()), {
      everyMs: HOUR_MS,
      onError: warn("a sweep failed; it will be tried again"),
    }),
    new Periodic(() => deps.observed.record(new Date().toISOString()), {
      everyMs: OBSERVED_MS,
      onError: warn("what was observed could not be recorded yet"),
    }),
  ];
}
