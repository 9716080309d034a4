import type { Generated } from "kysely";
import type { Pool } from "pg";
import type { PartReport, ProcessorReport } from "#contracts/http/system.ts";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { backupMigration } from "./backup-table.ts";
import { observedMigration } from "./observed-table.ts";
import { requestMigration } from "./request-table.ts";
import type { SeenServer } from "./running-server.ts";

/** `ops.process`: a service in a process, as it last described itself. */
export interface ProcessTable {
  id: string;
  /** The same for all services that share a process. */
  process_id: string;
  service: string;
  version: string;
  /** Seconds since the service was started. */
  uptime_seconds: number;
  /** Resident memory of the whole process. */
  memory_bytes: number;
  /** Processor time of the whole process since the beat before, as a share of one core. */
  cpu_share: number;
  parts: readonly PartReport[];
  /** The processors that a projector owns. */
  processors: readonly ProcessorReport[];
  /** Servers that this service asks for their versions, because others cannot reach them. */
  servers: readonly SeenServer[];
  /** By the database's clock, so that the clocks of machines need not agree. */
  beat_at: Generated<Date>;
  /** When it first reported. */
  began_at: Generated<Date>;
}

export const OPERATIONS_SCHEMA = "ops";

const operationsMigrations = [
  {
    id: "2026-11-23-process",
    sql: `
      create table process (
        id uuid primary key,
        process_id uuid not null,
        service text not null,
        version text not null,
        uptime_seconds int not null,
        memory_bytes bigint not null,
        cpu_share real not null,
        parts jsonb not null,
        processors jsonb not null,
        beat_at timestamptz not null default now(),
        began_at timestamptz not null default now(),
        servers jsonb not null default '[]'
      );
    `,
  },
  requestMigration,
  backupMigration,
  observedMigration,
];

/** Creates or migrates the schema `ops`; see {@link applyMigrations}. */
export async function installOperations(pool: Pool): Promise<void> {
  await applyMigrations(pool, OPERATIONS_SCHEMA, operationsMigrations);
}
