import type { Logger } from "pino";
import type { ObservedCalls } from "../security/observed-calls.ts";
import { type HousekeepingDeps, houseKeep } from "./housekeeping.ts";

const HOUR_MS = 3_600_000;
/** How soon what was observed is in the audit log. */
const OBSERVED_MS = 10_000;

/** The hourly housekeeping of one process. */
export interface Sweeps {
  /** Sweeps at once, and every hour from then on. */
  start(): void;
  /** Starts no further sweep. */
  cancel(): void;
  /** Resolves when the sweep that runs is over. */
  finished(): Promise<void>;
}

interface Deps extends HousekeepingDeps {
  readonly observed: Pick<ObservedCalls, "record">;
}

/** A sweep that fails is logged, and the next one does its work. */
export function createSweeps(deps: Deps, log: Pick<Logger, "warn">): Sweeps {
  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let recording: Promise<void> | undefined;
  let recorder: NodeJS.Timeout | undefined;
  const record = () => {
    recording ??= deps.observed
      .record(new Date().toISOString())
      .catch((err) => log.warn({ err }, "what was observed could not be recorded yet"))
      .finally(() => {
        recording = undefined;
      });
  };
  const sweep = () => {
    sweeping = houseKeep(deps, Date.now()).catch((err) =>
      log.warn({ err }, "a sweep failed; it will be tried again"),
    );
  };
  return {
    start() {
      sweep();
      timer = setInterval(sweep, HOUR_MS);
      timer.unref();
      recorder = setInterval(record, OBSERVED_MS);
      recorder.unref();
    },
    cancel() {
      clearInterval(timer);
      clearInterval(recorder);
    },
    async finished() {
      await Promise.all([sweeping, recording]);
    },
  };
}
