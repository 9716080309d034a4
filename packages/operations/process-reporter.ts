import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PartReport, ProcessorReport } from "#contracts/http/system.ts";
import { packageVersion } from "#runtime/config/process-settings.ts";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { type PartCheck, runPart } from "./part-check.ts";
import { answerRequests, type Caches } from "./request-table.ts";
import type { SeenServer } from "./running-server.ts";

/** Milliseconds between two heartbeats. */
export const BEAT_MS = 5000;
/** Restarts are spread over this time. */
const RESTART_WITHIN_MS = 60_000;
/** Time limit of the last statement when a service stops, in milliseconds. */
const STOP_MS = 500;

/** Shared by all services of this process. */
export const PROCESS_ID = randomUUID();

/** Rows left behind because their process was killed are kept for an hour. */
const WRITE = `
  with gone as (
    delete from ops.process where service = $3 and beat_at < now() - interval '1 hour'
  )
  insert into ops.process as p
    (id, process_id, service, version, uptime_seconds, memory_bytes, cpu_share, parts, processors, servers)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (id) do update set
    uptime_seconds = excluded.uptime_seconds, memory_bytes = excluded.memory_bytes,
    cpu_share = excluded.cpu_share, parts = excluded.parts, processors = excluded.processors,
    servers = excluded.servers, beat_at = now()`;

export interface ProcessReporterDeps {
  readonly pool: Pick<Pool, "query">;
  readonly service: ServiceName;
  readonly parts: readonly PartCheck[];
  /** Processors owned by this service, for a projector. */
  readonly processors?: () => readonly ProcessorReport[];
  /** Servers whose versions this service queries. */
  readonly servers?: () => Promise<readonly SeenServer[]>;
  /** In-memory caches of this service, emptied when an admin asks. */
  readonly caches?: Caches;
  /** Ends the process so that a supervisor restarts it; absent without one. Called within a minute. */
  readonly restart?: (() => void) | undefined;
  readonly log: Pick<Logger, "warn">;
  readonly beatMs?: number | undefined;
}

/** Writes a service's status to `ops.process`, and carries out requests to all processes. */
export class ProcessReporter {
  readonly #deps: ProcessReporterDeps;
  readonly #id = randomUUID();
  readonly #began = performance.now();
  readonly #version = packageVersion();
  readonly #checked = new Map<PartCheck, { at: number; report: PartReport }>();
  #cpu = process.cpuUsage();
  #cpuAt = performance.now();
  readonly #beats: Periodic;
  #restarting: NodeJS.Timeout | undefined;

  constructor(deps: ProcessReporterDeps) {
    this.#deps = deps;
    this.#beats = new Periodic((signal) => this.#beat(signal), {
      everyMs: deps.beatMs ?? BEAT_MS,
      onError: (err, isFirst) =>
        isFirst && deps.log.warn({ err }, "the process could not report its state"),
    });
  }

  /** Sends heartbeats until {@link stop}, the first one immediately. */
  start(): void {
    this.#beats.start();
  }

  /** Removes the row, without waiting for a database that does not answer. */
  async stop(): Promise<void> {
    clearTimeout(this.#restarting);
    const remove = this.#beats
      .stop()
      .then(() => this.#deps.pool.query("delete from ops.process where id = $1", [this.#id]));
    await withDeadline(remove, STOP_MS, () => new Error("out of time")).catch(() => undefined);
  }

  /** Sends one heartbeat. Never rejects. */
  beat(): Promise<void> {
    return this.#beats.now();
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { pool, service, processors, servers, caches } = this.#deps;
    const [parts, seen] = await Promise.all([this.#check(), servers?.() ?? []]);
    if (signal.aborted) return;
    const values = [
      this.#id,
      PROCESS_ID,
      service,
      this.#version,
      Math.round((performance.now() - this.#began) / 1000),
      process.memoryUsage.rss(),
      this.#takeCpu(),
      JSON.stringify(parts),
      JSON.stringify(processors?.() ?? []),
      JSON.stringify(seen),
    ];
    await pool.query(WRITE, values);
    const restart = () => this.#restart();
    if (caches) await answerRequests({ pool, id: this.#id, service, caches, restart });
  }

  #restart(): void {
    const { restart, log } = this.#deps;
    if (restart)
      this.#restarting ??= setTimeout(restart, Math.random() * RESTART_WITHIN_MS).unref();
    else log.warn("not restarted: nothing would start this process again (SUPERVISED)");
  }

  #check(): Promise<PartReport[]> {
    const now = performance.now();
    return Promise.all(
      this.#deps.parts.map(async (part) => {
        const last = this.#checked.get(part);
        if (last && now - last.at < (part.everyMs ?? 0)) return last.report;
        const report = await runPart(part);
        this.#checked.set(part, { at: now, report });
        return report;
      }),
    );
  }

  #takeCpu(): number {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const elapsed = Math.max(1, now - this.#cpuAt);
    this.#cpu = process.cpuUsage();
    this.#cpuAt = now;
    return (user + system) / 1000 / elapsed;
  }
}
