import type { SystemEvent } from "#contracts/events/index.ts";
import type { SystemState } from "#contracts/events/system.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { LoggedActionName, SYSTEM_COMMANDS } from "#contracts/system/actions.ts";

interface Named<T extends keyof typeof SYSTEM_COMMANDS> {
  readonly type: T;
  readonly jobId: string;
  readonly action: LoggedActionName;
}

/** Commands of the jobs that act on the registry as a whole. */
export type SystemCommand =
  | Named<"StartSystemAction">
  | (Named<"EndSystemAction"> & {
      readonly outcome: "done" | "stopped" | "failed";
      readonly count: number | undefined;
    });

/**
 * Decides about a system action. A job that resumes after its process crashed starts and ends the action only once.
 */
export function decideSystem(
  state: SystemState | undefined,
  command: SystemCommand,
): SystemEvent[] {
  const { jobId: job_id, action } = command;
  if (command.type === "StartSystemAction")
    return state ? [] : [{ type: "SystemActionStarted", data: { job_id, action } }];
  if (!state) throw new TypeError("an action ends that never started");
  if (state.isEnded) return [];
  const { outcome, count } = command;
  return [
    { type: "SystemActionEnded", data: { job_id, action, outcome, ...omitUndefined({ count }) } },
  ];
}
