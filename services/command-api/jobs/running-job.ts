import { DomainError } from "#contracts/domain-error.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { JobEnd, JobStatus, JobStore, TakenJob } from "./job.store.ts";
import { type JobRun, type NewJobLine, type RunCause, RunOver } from "./job-kind.ts";

/** A job that this process is running. */
export class RunningJob implements JobRun {
  readonly id: string;
  readonly attempt: number;
  readonly finished: ReadonlySet<string>;
  readonly #store: JobStore;
  readonly #runner: string;
  readonly #caller: Omit<Caller, "now">;
  readonly #continues: boolean;
  readonly #abort = new AbortController();
  #cause: RunCause | undefined;

  constructor(
    job: TakenJob,
    deps: {
      readonly store: JobStore;
      readonly runner: string;
      readonly caller: Omit<Caller, "now">;
      readonly finished: ReadonlySet<string>;
      /** Whether another process may continue it. */
      readonly continues: boolean;
    },
  ) {
    this.id = job.id;
    this.attempt = job.attempts;
    this.finished = deps.finished;
    this.#store = deps.store;
    this.#runner = deps.runner;
    this.#caller = deps.caller;
    this.#continues = deps.continues;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get cause(): RunCause | undefined {
    return this.#cause;
  }

  caller(): Caller {
    return { ...this.#caller, now: new Date().toISOString() };
  }

  async total(total: number): Promise<void> {
    this.#heed(await this.#store.total(this.id, this.#runner, total));
  }

  async line(line: NewJobLine): Promise<void> {
    this.#heed(await this.#store.line(this.id, this.#runner, line));
  }

  async progress(done: number): Promise<void> {
    this.#heed(await this.#store.progress(this.id, this.#runner, done));
  }

  /** Extends the lease. */
  async renew(): Promise<void> {
    const status = await this.#store.renew(this.id, this.#runner);
    this.#note(status);
  }

  /** Ends the run. The first cause wins, except that `lost` overrides it. */
  cancel(cause: RunCause): void {
    if (this.#cause === undefined || cause === "lost") this.#cause = cause;
    this.#abort.abort(new RunOver());
  }

  /** Records how the run ended. @param thrown undefined if it returned. @param onError receives unexpected errors. */
  async over(thrown: unknown, onError: (error: unknown) => void): Promise<void> {
    if (this.#cause === "lost") return;
    if (this.#cause === "ending" && this.#continues) {
      await this.#store.release(this.id, this.#runner);
      return;
    }
    if (thrown !== undefined && !(thrown instanceof DomainError) && !(thrown instanceof RunOver))
      onError(thrown);
    await this.#store.end(this.id, this.#runner, this.#end(thrown));
  }

  #end(thrown: unknown): JobEnd {
    if (this.#cause === "forbidden") return { state: "failed", error: FORBIDDEN };
    if (thrown instanceof DomainError)
      return { state: "failed", error: { code: thrown.code, message: thrown.message } };
    if (thrown instanceof RunOver && this.#cause === "ending")
      return { state: "failed", error: INTERRUPTED };
    if (thrown !== undefined && !(thrown instanceof RunOver))
      return { state: "failed", error: INTERNAL };
    return { state: this.#cause === "stop" ? "stopped" : "done" };
  }

  /** @throws {RunOver} if this process may no longer run the job. */
  #heed(status: JobStatus | undefined): void {
    this.#note(status);
    if (this.#cause === "lost" || this.#cause === "forbidden") throw new RunOver();
  }

  #note(status: JobStatus | undefined): void {
    if (!status) this.cancel("lost");
    else if (!status.allowed) this.cancel("forbidden");
    else if (status.state === "stopping") this.cancel("stop");
  }
}

/** Errors shared by all kinds. */
export const FORBIDDEN = {
  code: "forbidden",
  message: "The account that started this is no longer allowed to do it.",
} as const;
export const INTERRUPTED = {
  code: "interrupted",
  message: "The process running this stopped before it finished.",
} as const;
const INTERNAL = {
  code: "internal_error",
  message: "Something went wrong on our side. Items listed as done are complete.",
} as const;
