import type { LoggedActionName, SYSTEM_COMMANDS } from "#contracts/system/actions.ts";

interface Named<T extends keyof typeof SYSTEM_COMMANDS> {
  readonly type: T;
  /** The job that does it. */
  readonly jobId: string;
  readonly action: LoggedActionName;
}

/** The commands of the jobs that do something with the registry as a whole. */
export type SystemCommand =
  | Named<"StartSystemAction">
  | (Named<"EndSystemAction"> & {
      readonly outcome: "done" | "stopped" | "failed";
      readonly count: number | undefined;
    });
