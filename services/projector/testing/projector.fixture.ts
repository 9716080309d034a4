import { randomBytes, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type pg from "pg";
import type { Logger } from "pino";
import type { ReportEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { createLogger } from "#runtime/log.ts";
import { EventWriter, type WriteOptions } from "#test-kit/event-writer.ts";
import { reachedPosition } from "#test-kit/reached-position.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { reportApproved, reportSubmitted, verifiedByLink } from "#test-kit/report-events.ts";
import {
  composeProjector,
  openProjectorStores,
  type Projector,
  type ProjectorStores,
} from "../composition.ts";
import type { ProjectorConfig } from "../config.ts";
import type { ProcessorSettings } from "../daemon/processor.ts";
import { type RebuildDeps, type RebuildReport, rebuild } from "../rebuild.ts";

/** Everything that a test of the projector inspects or controls. */
export interface ProjectorFixture {
  readonly config: ProjectorConfig;
  readonly stores: ProjectorStores;
  readonly pool: pg.Pool;
  readonly writer: EventWriter;
  readonly epoch: string;
  readonly log: Logger;
  /** The logged lines. */
  readonly logged: string[];
  /** Starts a projector on the stores, as a separate process would. It is stopped at the end. */
  start(settings?: ProcessorSettings): Promise<Projector>;
  /** Appends to a report's stream. @returns the position of the last event. */
  report(id: string, events: readonly ReportEvent[], options?: WriteOptions): Promise<string>;
  /** Adds verified and approved reports about this many people. @returns the same as `report`. */
  fill(count: number, persons: number): Promise<string>;
  /** Rebuilds the processors' tables; all that can be rebuilt when absent. */
  rebuild(processors?: readonly string[], more?: Partial<RebuildDeps>): Promise<RebuildReport>;
  /** Waits until all processors have reached the position. */
  reached(position: string, processors?: readonly string[]): Promise<void>;
  rows<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Short times for fast tests, but long enough that no owner on a slow machine is mistaken for frozen. */
export const FAST: ProcessorSettings = {
  restart: { minMs: 20, maxMs: 20 },
  lease: { beatMs: 100, staleMs: 15_000, pollMs: 20 },
};

/** Opens a registry's stores in a separate database, with a started log. */
export async function openFixture({
  startLog = true,
  searchUrl,
  databaseUrl,
}: {
  readonly startLog?: boolean;
  /** The caller's empty database; a new one on the run's server when absent. */
  readonly databaseUrl?: string;
  /** Search in the same database when absent. */
  readonly searchUrl?: string;
} = {}): Promise<ProjectorFixture> {
  const database = databaseUrl ? undefined : await registryDatabase();
  const url = databaseUrl ?? (database?.url as string);
  const config: ProjectorConfig = {
    databaseUrl: url,
    eventStoreUrl: url,
    keysUrl: url,
    searchUrl: searchUrl ?? url,
    masterKeys: [randomBytes(32)],
  };
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ name: "projector", destination });
  const stores = await openProjectorStores(config, log);
  const writer = new EventWriter(stores.store, stores.keys);
  const epoch = startLog ? await writer.startLog() : "";
  const started: Projector[] = [];
  const report: ProjectorFixture["report"] = async (id, events, options) =>
    (await writer.append(streams.report(id), events, options)).position;
  return {
    config,
    stores,
    pool: stores.pool,
    writer,
    epoch,
    log,
    logged,
    async start(settings = FAST) {
      const projector = await composeProjector(config, { log, settings });
      started.push(projector);
      await projector.start();
      return projector;
    },
    report,
    async fill(count, persons) {
      let position = "";
      for (let i = 0; i < count; i += 1)
        position = await report(randomUUID(), [
          reportSubmitted({ blind: { email: [`e${i % persons}`] } }),
          verifiedByLink(),
          reportApproved(),
        ]);
      return position;
    },
    rebuild(names, more) {
      const chosen = stores.projections.filter((each) =>
        names ? names.includes(each.name) : each.rebuild,
      );
      return rebuild({ ...stores, log, ...more }, chosen);
    },
    reached: (position, processors = PROCESSORS) =>
      reachedPosition(stores.pool, processors, position),
    async rows<T extends object>(text: string, values: unknown[] = []) {
      return (await stores.pool.query<T>(text, values)).rows;
    },
    async close() {
      for (const projector of started) await projector.stop();
      await stores.close();
      await database?.drop();
    },
  };
}
