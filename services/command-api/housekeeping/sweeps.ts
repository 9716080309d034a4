import type { Logger } from "pino";
import { type HousekeepingDeps, houseKeep } from "./housekeeping.ts";

const HOUR_MS = 3_600_000;

/** The hourly housekeeping of one process. */
export interface Sweeps {
  /** Sweeps at once, and every hour from then on. */
  start(): void;
  /** Starts no further sweep. */
  cancel(): void;
  /** Resolves when the sweep that runs is over. */
  finished(): Promise<void>;
}

/** A sweep that fails is logged, and the next one does its work. */
export function createSweeps(deps: HousekeepingDeps, log: Pick<Logger, "warn">): Sweeps {
  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
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
    },
    cancel: () => clearInterval(timer),
    finished: () => sweeping,
  };
}
