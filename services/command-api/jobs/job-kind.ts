import type { Static, TSchema } from "typebox";
import type { JobKindName, JobOutcome } from "#contracts/http/jobs.ts";
import type { Position } from "#event-store/port.ts";
import type { Caller } from "../kernel/envelope.ts";

/** Work that is too long for one request. It is data until a process takes it. */
export interface JobKind<S extends TSchema = TSchema> {
  readonly name: JobKindName;
  /** What a job of this kind is given, checked again when a process takes a job of another version. */
  readonly input: S;
  /** When the process dies: `continue` begins again, so `run` must be safe to do twice; `fail` fails the job. */
  readonly whenInterrupted: "continue" | "fail";
  /** Only one of its jobs may be unfinished in the whole registry. */
  readonly isSingle?: true;
  /** Does the work, and returns soon after the signal. @throws {DomainError} the job's error; others are logged. */
  run(input: Static<S>, run: JobRun): Promise<void>;
  /** Called before a job without a runner ends, perhaps twice or for one that never began. It may throw. */
  abandoned?(id: string, outcome: "failed" | "stopped"): Promise<void>;
}

/** One line of a job's result. */
export interface NewJobLine {
  readonly target?: string | undefined;
  readonly outcome: JobOutcome;
  /** Code and sentence of a refusal. They hold nothing personal: they are kept in the clear. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** In the log. Reads wait for the newest one of the job. */
  readonly position?: Position | undefined;
}

/** Why a run ends early: it was stopped, the process ends, another has the job, or its owner may not do it. */
export type RunCause = "stop" | "ending" | "lost" | "forbidden";

/** A job while this process runs it. Its methods throw {@link RunOver} once it may not anymore. */
export interface JobRun {
  readonly id: string;
  /** 1, or more where a process died before. */
  readonly attempt: number;
  /** Targets that have a line from an earlier attempt. */
  readonly finished: ReadonlySet<string>;
  /** Aborted when somebody stops the job, when this process ends, and when it may not run the job anymore. */
  readonly signal: AbortSignal;
  readonly cause: RunCause | undefined;
  /** Whoever started it, from there, at the present time. Its `correlationId` is the job's id. */
  caller(): Caller;
  total(total: number): Promise<void>;
  /** Notes what became of one thing, and counts it. */
  line(line: NewJobLine): Promise<void>;
  /** Sets how much is done, for work without lines. */
  progress(done: number): Promise<void>;
}

/** The job is not this process's anymore, or its owner may not do this anymore. Nothing was written. */
export class RunOver extends Error {
  override readonly name = "RunOver";
}

/** A row of a table of kinds. The type of `run` follows from its schema. */
export const jobKind = <S extends TSchema>(kind: JobKind<S>): JobKind => kind as unknown as JobKind;
