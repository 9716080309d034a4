import type { LogEvent } from "#contracts/events/index.ts";
import type { LogState } from "#contracts/events/log/log-fold.ts";
import type { LogCommand } from "./log.commands.ts";

/** Every decision about the log as a whole. */
export function decideLog(state: LogState | undefined, command: LogCommand): LogEvent[] {
  switch (command.type) {
    case "StartLog":
      return state ? [] : [{ type: "LogStarted", data: {} }];
    case "RestoreLog":
      // A new epoch after each restore.
      return [{ type: "LogRestored", data: {} }];
    case "LoadSamples":
      if (state?.samples === "loaded") return [];
      return [{ type: "SamplesLoaded", data: { reports: command.reports } }];
    case "ClearSamples":
      return [{ type: "SamplesCleared", data: { reports: command.reports } }];
  }
}
