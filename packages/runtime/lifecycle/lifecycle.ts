import type { Logger } from "pino";
import { withDeadline } from "./deadline.ts";

export interface LifecycleOptions {
  readonly log: Logger;
  /** Milliseconds for everything together; 9000 when absent. */
  readonly deadlineMs?: number;
}

/** How a stop went. */
export interface StopReport {
  readonly clean: boolean;
  /** Steps that failed or ran out of time. */
  readonly failed: readonly string[];
}

export interface Lifecycle {
  /**
   * Notes what has to be stopped. Steps run in reverse order, one after the other: what was
   * started last, and so builds on the rest, stops first.
   */
  onStop(step: string, stop: () => Promise<unknown> | unknown): void;
  /** Runs the steps once; further calls wait for the same end. Never rejects. */
  stop(): Promise<StopReport>;
}

/** A failed step does not keep the next from running; a hanging one only until the deadline. */
export function createLifecycle({ log, deadlineMs = 9000 }: LifecycleOptions): Lifecycle {
  const steps: { step: string; stop: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<StopReport> | undefined;

  async function run(): Promise<StopReport> {
    const end = performance.now() + deadlineMs;
    const failed: string[] = [];
    for (let entry = steps.pop(); entry; entry = steps.pop()) {
      const { step, stop } = entry;
      // Past the deadline each step still gets its turn, but nobody waits for it.
      const left = Math.max(1, end - performance.now());
      try {
        const work = (async () => stop())();
        await withDeadline(work, left, () => new Error("out of time"));
      } catch (err) {
        failed.push(step);
        log.error({ err, step }, "a part of the process did not stop as it should");
      }
    }
    return { clean: failed.length === 0, failed };
  }

  return {
    onStop(step, stop) {
      if (stopping) throw new Error(`${step} was started while the process stops`);
      steps.push({ step, stop });
    },
    stop() {
      stopping ??= run();
      return stopping;
    },
  };
}

/** What {@link stopOnSignals} needs of `process`. */
export interface StoppableProcess {
  on(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): void;
}

/** A terminal and npm both pass one Ctrl-C on: a second signal this soon is the same one. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops the process on SIGTERM, SIGINT and uncaught errors: with exit code 0 after a signal, and 1
 * after an error or when not everything stopped in time. Another signal ends it at once.
 */
export function stopOnSignals(
  lifecycle: Lifecycle,
  log: Logger,
  target: StoppableProcess = process,
): void {
  let since: number | undefined;
  async function stop(failed: boolean): Promise<void> {
    since = performance.now();
    const { clean } = await lifecycle.stop();
    target.exit(clean && !failed ? 0 : 1);
  }
  for (const signal of ["SIGTERM", "SIGINT"])
    target.on(signal, () => {
      if (since === undefined) {
        log.info({ signal }, "stopping");
        void stop(false);
      } else if (performance.now() - since > SAME_SIGNAL_MS) target.exit(1);
    });
  for (const event of ["uncaughtException", "unhandledRejection"])
    target.on(event, (err) => {
      log.fatal({ err }, "stopping after an error that nothing caught");
      if (since === undefined) void stop(true);
    });
}
