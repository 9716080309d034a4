import { Gauge, Registry } from "prom-client";
import type { LogMonitor } from "./log-monitor.ts";
import type { Processor } from "./processor.ts";

/** Metrics of every processor, read at each scrape. */
export function createProjectorMetrics(
  processors: readonly Processor[],
  monitor: LogMonitor,
): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service: "projector" });
  const gauge = (name: string, help: string, read: (processor: Processor) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["processor"],
      registers: [registry],
      collect() {
        for (const processor of processors)
          this.set({ processor: processor.name }, read(processor));
      },
    });
  gauge(
    "projector_lag_positions",
    "Positions between the checkpoint and the head of the log",
    (p) => monitor.lag(p.health()).positions,
  );
  gauge(
    "projector_lag_seconds",
    "Time since the processor last was at the head of the log",
    (p) => monitor.lag(p.health()).seconds,
  );
  gauge(
    "projector_events_applied",
    "Events written since the process began",
    (p) => p.health().applied,
  );
  gauge(
    "projector_parked_streams",
    "Streams that wait behind an event that cannot be applied",
    (p) => monitor.parked(p.name),
  );
  gauge("projector_stopped", "1 while the processor does not go on", (p) =>
    p.health().state === "stopped" ? 1 : 0,
  );
  return registry;
}
