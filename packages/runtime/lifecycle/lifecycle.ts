import type { Logger } from "pino";

export interface LifecycleOptions {
  readonly log: Logger;
  /** Time limit for the whole stop in milliseconds; 9000 by default. */
  readonly deadlineMs?: number;
}

/** Outcome of a stop. */
export interface StopReport {
  readonly clean: boolean;
  /** Steps that failed or timed out. */
  readonly failed: readonly string[];
}

export interface Lifecycle {
  /** Registers a step of the stop. Steps run in reverse order, because the last to start depends on the rest. */
  onStop(step: string, stop: () => Promise<unknown> | unknown): void;
  /** Runs the steps once; later calls wait for the same result. Never rejects. */
  stop(): Promise<StopReport>;
}

/** A failed step does not prevent the next; a hanging one delays it only until the deadline. */
export function createLifecycle({ log, deadlineMs = 9000 }: LifecycleOptions): Lifecycle {
  const steps: { step: string; stop: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<StopReport> | undefined;

  async function run(): Promise<StopReport> {
    const end = performance.now() + deadlineMs;
    const failed: string[] = [];
    for (let entry = steps.pop(); entry; entry = steps.pop()) {
      const { step, stop } = entry;
      // After the deadline each step still starts, but is not awaited.
      const left = Math.max(1, end - performance.now());
      try {
        const work = (async () => stop())();
        await withDeadline(work, left, () => new Error("out of time"));
      } catch (err) {
        failed.push(step);
        log.error({ err, step }, "a part of the process did not stop cleanly");
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

/** The part of `process` that {@link stopOnSignals} needs. */
export interface StoppableProcess {
  on(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): void;
}

/** A terminal and npm both forward one Ctrl-C, so a second signal this soon is the same one. */
const SAME_SIGNAL_MS = 1000;

/** Exit code that asks for a restart: `EX_TEMPFAIL` of sysexits.h, neither success nor failure. */
export const RESTART_CODE = 75;

/**
 * Stops the process on SIGTERM, SIGINT and uncaught errors. The exit code is 0 after a signal, and 1
 * after an error or if something did not stop in time. A second signal ends the process immediately.
 * @returns a function that stops it in the same way, with {@link RESTART_CODE}.
 */
export function stopOnSignals(
  lifecycle: Lifecycle,
  log: Logger,
  target: StoppableProcess = process,
): () => void {
  let since: number | undefined;
  async function stop(code: number): Promise<void> {
    since = performance.now();
    const { clean } = await lifecycle.stop();
    target.exit(clean ? code : 1);
  }
  for (const signal of ["SIGTERM", "SIGINT"])
    target.on(signal, () => {
      if (since === undefined) {
        log.info({ signal }, "stopping");
        void stop(0);
      } else if (performance.now() - since > SAME_SIGNAL_MS) target.exit(1);
    });
  for (const event of ["uncaughtException", "unhandledRejection"])
    target.on(event, (err) => {
      log.fatal({ err }, "stopping after an uncaught error");
      if (since === undefined) void stop(1);
    });
  return () => {
    if (since !== undefined) return;
    log.info("stopping to be started again");
    void stop(RESTART_CODE);
  };
}

/** Waits for `work` at most `ms` milliseconds, without cancelling it. @throws the error from `onTimeout`. */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
