import type pg from "pg";
import { Gauge, Registry } from "prom-client";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { EventStore, Position } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import type { CheckResult } from "#http/health.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { Processor, ProcessorHealth } from "./processor.ts";

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
    "Events written since the process started",
    (p) => p.health().applied,
  );
  gauge("projector_parked_streams", "Streams blocked by an event that can't be applied", (p) =>
    monitor.parked(p.name),
  );
  gauge("projector_stopped", "1 while the processor is stopped", (p) =>
    p.health().state === "stopped" ? 1 : 0,
  );
  return registry;
}

interface Lag {
  /** Positions between the checkpoint and the head; 0 if positions are not numbers. */
  readonly positions: number;
  /** How long it has been behind without interruption. */
  readonly seconds: number;
}

/** Time without progress after which a processor that is behind counts as stalled. */
const STALLED_MS = 30_000;

export interface LogMonitorDeps {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly processors: readonly Processor[];
}

/** Reads the log's head and epoch at intervals, for the health checks and the processors. */
export class LogMonitor {
  readonly #deps: LogMonitorDeps;
  readonly #behindSince = new Map<ProcessorName, number>();
  readonly #parked = new Map<ProcessorName, number>();
  #head: Position | undefined;
  readonly #polls: Periodic;

  constructor(deps: LogMonitorDeps) {
    this.#deps = deps;
    this.#polls = new Periodic(() => this.poll(), { everyMs: 1000 });
  }

  start(): void {
    this.#polls.start();
  }

  stop(): Promise<void> {
    return this.#polls.stop();
  }

  /** @throws when the log or the database is unreachable. */
  async poll(): Promise<void> {
    const { store, pool, processors } = this.#deps;
    const epoch = await readEpoch(store);
    const head = await store.head();
    const { rows } = await pool.query<{ processor: ProcessorName; parked: number }>(
      "select processor, count(*)::int as parked from processor.parked_stream group by processor",
    );
    this.#head = head;
    this.#parked.clear();
    for (const { processor, parked } of rows) this.#parked.set(processor, parked);
    for (const processor of processors) {
      await processor.inspect(head, epoch);
      const { state, position } = processor.health();
      const isAtHead = position !== null && position >= head;
      // A standby processor belongs to another process, which may be the one that is behind.
      if (isAtHead || state === "standby") this.#behindSince.delete(processor.name);
      else if (!this.#behindSince.has(processor.name))
        this.#behindSince.set(processor.name, Date.now());
    }
  }

  lag({ processor, position }: Pick<ProcessorHealth, "processor" | "position">): Lag {
    const since = this.#behindSince.get(processor);
    const head = this.#head;
    const numbers = /^\d+$/;
    const positions =
      head && position && numbers.test(head) && numbers.test(position)
        ? Math.max(0, Number(BigInt(head) - BigInt(position)))
        : 0;
    const seconds = since === undefined ? 0 : Math.round((Date.now() - since) / 1000);
    return { positions, seconds };
  }

  /** Number of the processor's parked streams, whichever process parked them. */
  parked(processor: ProcessorName): number {
    return this.#parked.get(processor) ?? 0;
  }

  check(processor: Processor): CheckResult {
    const health = processor.health();
    const { state, stop, position, movedAtMs, rebuilt } = health;
    const lag = this.lag(health);
    const still = movedAtMs === null ? 0 : Date.now() - movedAtMs;
    const stalled = lag.seconds * 1000 >= STALLED_MS && still >= STALLED_MS;
    const parkedStreams = this.parked(processor.name);
    return {
      ok: (state === "live" && !stalled) || state === "standby",
      detail: {
        state: stalled && state === "live" ? "stalled" : state,
        lag: lag.positions,
        lagSeconds: lag.seconds,
        parkedStreams,
        ...omitUndefined({
          position,
          eventsRead: rebuilt,
          secondsSinceMove: movedAtMs === null ? null : Math.round(still / 1000),
          code: stop?.code,
          cause: stop?.message,
        }),
      },
    };
  }
}
