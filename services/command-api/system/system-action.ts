import type { TSchema } from "typebox";
import type { JobKindName } from "#contracts/http/jobs.ts";
import { strict } from "#contracts/report/fields.ts";
import type { LoggedActionName } from "#contracts/system/actions.ts";
import { ABORTED, orAborted } from "#event-store/follow-log.ts";
import { type JobKind, type JobRun, jobKind } from "../jobs/job-kind.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { systemAggregate } from "./system.aggregate.ts";
import type { SystemCommand } from "./system.decider.ts";

/** An action on the registry as a whole. */
export interface SystemAction {
  readonly name: LoggedActionName;
  /** Kind of its jobs, if different from its name. */
  readonly kind?: JobKindName;
  readonly whenInterrupted: JobKind["whenInterrupted"];
  /** Schema of its jobs' input; none if absent. */
  readonly input?: TSchema;
  /** @returns a count for the log, such as entries removed or findings. See {@link JobKind.run}. */
  run(run: JobRun, input?: unknown): Promise<number | undefined>;
}

/** Resolves with the step's result, or rejects with the signal's reason: half an action does not count as done. */
export async function unlessStopped<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  const result = await orAborted(step, signal);
  if (result === ABORTED) throw signal.reason;
  return result;
}

/** Turns an action into a job kind that runs one at a time, and logs its start and end. */
export function systemActionKind(
  { name, kind, input = strict({}), whenInterrupted, run: work }: SystemAction,
  { handler }: { readonly handler: Pick<CommandHandler, "execute" | "load"> },
): JobKind {
  return jobKind({
    name: kind ?? (name as JobKindName),
    input,
    whenInterrupted,
    isSingle: true,
    async run(given, run) {
      const note = (command: SystemCommand) =>
        handler.execute(systemAggregate(run.id), command, newEnvelope(run.caller()));
      const action = { jobId: run.id, action: name };
      const end = async (outcome: "done" | "failed", count?: number) => {
        const { cause } = run;
        // Another process ends an action that this one has lost or handed back.
        if (cause === "lost" || (cause === "ending" && whenInterrupted === "continue")) return;
        const how = cause === "stop" ? "stopped" : cause === undefined ? outcome : "failed";
        await note({ type: "EndSystemAction", ...action, outcome: how, count });
      };
      await note({ type: "StartSystemAction", ...action });
      let count: number | undefined;
      try {
        count = await work(run, given);
      } catch (error) {
        await end("failed");
        throw error;
      }
      await end("done", count);
    },
    // Logged as the system: the account that started it may be gone, and did not end it.
    async abandoned(jobId, outcome) {
      const aggregate = systemAggregate(jobId);
      const begun = await handler.load(aggregate);
      if (!begun || begun.state.isEnded) return;
      const envelope = newEnvelope(systemCaller(new Date().toISOString()));
      const ends = { type: "EndSystemAction", jobId, action: name, outcome } as const;
      await handler.execute(aggregate, { ...ends, count: undefined }, envelope);
    },
  });
}
