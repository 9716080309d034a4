import type { Static, TSchema } from "typebox";
import type { JobKindName, JobOutcome } from "#contracts/http/jobs.ts";
import type { Position } from "#event-store/port.ts";
import type { Caller } from "../kernel/envelope.ts";

/** Work that takes too long for one request. It is stored until a process takes it. */
export interface JobKind<S extends TSchema = TSchema> {
  readonly name: JobKindName;
  /** Input of a job of this kind, validated again when a process takes a job of another version. */
  readonly input: S;
  /** After the process dies, `continue` runs it again, so `run` must be idempotent; `fail` fails the job. */
  readonly whenInterrupted: "continue" | "fail";
  /** Only one of its jobs may be unfinished in the whole registry. */
  readonly isSingle?: true;
  /** Returns soon after the signal aborts. @throws {DomainError} becomes the job's error; others are logged. */
  run(input: Static<S>, run: JobRun): Promise<void>;
  /** Called before a job without a runner ends, possibly twice or for one that never started. It may throw. */
  abandoned?(id: string, outcome: "failed" | "stopped"): Promise<void>;
}

/** One line of a job's result. */
export interface NewJobLine {
  readonly target?: string | undefined;
  readonly outcome: JobOutcome;
  /** Code and sentence of a refusal. Never personal data: they are stored unencrypted. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** Log position. Reads wait for the job's newest one. */
  readonly position?: Position | undefined;
}

/** Why a run ends early: stopped, process shutting down, taken over by another process, or owner not allowed. */
export type RunCause = "stop" | "ending" | "lost" | "forbidden";

/** A job while this process runs it. Its methods throw {@link RunOver} once the run has ended. */
export interface JobRun {
  readonly id: string;
  /** From 1; higher after a process died. */
  readonly attempt: number;
  /** Targets with a line from an earlier attempt. */
  readonly finished: ReadonlySet<string>;
  /** Aborted when the job is stopped, this process ends, or it may no longer run the job. */
  readonly signal: AbortSignal;
  readonly cause: RunCause | undefined;
  /** The account that started the job, as a caller at the current time. Its `correlationId` is the job's id. */
  caller(): Caller;
  total(total: number): Promise<void>;
  /** Records the result for one target, and counts it. */
  line(line: NewJobLine): Promise<void>;
  /** Sets the progress of work without lines. */
  progress(done: number): Promise<void>;
}

/** This process no longer runs the job, or its owner is no longer allowed to. Nothing was written. */
export class RunOver extends Error {
  override readonly name = "RunOver";
}

/** A row of a table of kinds. The type of `run` follows from its schema. */
export const jobKind = <S extends TSchema>(kind: JobKind<S>): JobKind => kind as unknown as JobKind;
