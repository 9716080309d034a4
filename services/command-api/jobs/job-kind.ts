import type { Static, TSchema } from "typebox";
import type { JobKindName, JobOutcome } from "#contracts/http/jobs.ts";
import type { Position } from "#event-store/port.ts";
import type { Caller } from "../kernel/envelope.ts";

/** A kind of work that takes too long for one request. Its jobs are stored until a process takes them. */
export interface JobKind<S extends TSchema = TSchema> {
  readonly name: JobKindName;
  /** Input of a job. Validated again when taken, since another version may have stored it. */
  readonly input: S;
  /** After a crash, `continue` runs the job again, so `run` must be idempotent; `fail` fails it. */
  readonly whenInterrupted: "continue" | "fail";
  /** At most one job of this kind may be unfinished in the whole registry. */
  readonly isSingle?: true;
  /**
   * Must return soon after the signal aborts.
   * @throws {DomainError} becomes the job's error; other errors are logged.
   */
  run(input: Static<S>, run: JobRun): Promise<void>;
  /** Called before ending a job that isn't running, possibly twice or for one that never started. May throw. */
  abandoned?(id: string, outcome: "failed" | "stopped"): Promise<void>;
}

/** One line of a job's result. */
export interface NewJobLine {
  readonly target?: string | undefined;
  readonly outcome: JobOutcome;
  /** Code and message of a refusal. Never personal data, because they are stored unencrypted. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** Log position. Reads wait for the job's newest one. */
  readonly position?: Position | undefined;
}

/** Why a run ended early: stopped by a user, shutdown, lease lost to another process, or owner not allowed. */
export type RunCause = "stop" | "ending" | "lost" | "forbidden";

/** A job while this process runs it. Its methods throw {@link RunOver} once the run has ended. */
export interface JobRun {
  readonly id: string;
  /** From 1; higher after a process died. */
  readonly attempt: number;
  /** Targets that already have a line from an earlier attempt. */
  readonly finished: ReadonlySet<string>;
  /** Aborted when the job is stopped, this process shuts down, or it may no longer run the job. */
  readonly signal: AbortSignal;
  readonly cause: RunCause | undefined;
  /** The account that started the job, as a caller at the current time. Its `correlationId` is the job ID. */
  caller(): Caller;
  total(total: number): Promise<void>;
  /** Records the result for one target and increments the progress. */
  line(line: NewJobLine): Promise<void>;
  /** Sets the progress of a job without lines. */
  progress(done: number): Promise<void>;
}

/** This process no longer runs the job, or its owner is no longer allowed to. Nothing was written. */
export class RunOver extends Error {
  override readonly name = "RunOver";
}

/** Types a kind's `run` by its input schema, then erases that type for the table of kinds. */
export const jobKind = <S extends TSchema>(kind: JobKind<S>): JobKind => kind as unknown as JobKind;
