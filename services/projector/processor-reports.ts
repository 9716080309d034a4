import type { ProcessorReport } from "#contracts/http/system.ts";
import type { LogMonitor } from "./daemon/log-monitor.ts";
import type { Processor } from "./daemon/processor.ts";

/** The processors that this process owns, for `ops.process`. A standby's owner reports it. */
export function processorReports(
  processors: readonly Processor[],
  monitor: LogMonitor,
): ProcessorReport[] {
  return processors.flatMap((processor) => {
    const health = processor.health();
    if (health.state === "standby") return [];
    const { state } = monitor.check(processor).detail ?? {};
    return {
      name: processor.name,
      state: String(state),
      seconds_behind: monitor.lag(health).seconds,
      parked: monitor.parked(processor.name),
    };
  });
}
