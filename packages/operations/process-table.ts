import type { Generated } from "kysely";
import type { Pool } from "pg";
import type { PartReport, ProcessorReport } from "#contracts/http/system.ts";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { backupMigration } from "./backup-table.ts";
import { requestMigration } from "./request-table.ts";
import type { SeenServer } from "./running-server.ts";

/** A recorded call: its caller and its outcome. */
interface Observation {
  readonly account: string;
  readonly role: string;
  readonly method: string;
  /** The route's pattern, never the requested URL, which may hold personal data. */
  readonly route: string;
  /** Error code, or {@link CONTACT_FOUND}. */
  readonly code: string;
}

/** A search by email or phone found a report. The search terms are not stored. */
export const CONTACT_FOUND = "contact_found";

/** `ops.observed`: calls that become events. Repeated calls in an hour share a row, so no one can fill the table. */
const observedMigration = {
  id: "2026-11-28-observed",
  sql: `
    create table observed (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null,
      role text not null,
      method text not null,
      route text not null,
      code text not null,
      hour timestamptz not null default date_trunc('hour', now(), 'UTC'),
      times int not null default 1,
      -- How many the log holds, and how many it will hold with the event that is being appended.
      recorded int not null default 0,
      recording int,
      unique (account_id, role, method, route, code, hour)
    );
    create function count_observed() returns trigger
      language plpgsql security definer set search_path = '' as $$
    begin
      perform pg_catalog.pg_advisory_xact_lock(
        pg_catalog.hashtextextended('observed ' || new.account_id::text || new.route, 0));
      update ops.observed o set times = o.times + 1
      where (o.account_id, o.role, o.method, o.route, o.code, o.hour)
          = (new.account_id, new.role, new.method, new.route, new.code, new.hour);
      if found then return null; end if;
      return new;
    end $$;
    create trigger counted before insert on observed
      for each row execute function count_observed();
  `,
};

const INSERT = `
  insert into ops.observed (account_id, role, method, route, code) values ($1, $2, $3, $4, $5)
`;

/** Records a call before it is answered. */
type Observe = (seen: Observation) => Promise<void>;

export function observer(pool: Pick<Pool, "query">): Observe {
  return async ({ account, role, method, route, code }) => {
    await pool.query(INSERT, [account, role, method, route, code]);
  };
}

/** `ops.process`: the last status report of one service in a process. */
export interface ProcessTable {
  id: string;
  /** Shared by all services in one process. */
  process_id: string;
  service: string;
  version: string;
  /** Seconds since the service was started. */
  uptime_seconds: number;
  /** Resident memory of the whole process. */
  memory_bytes: number;
  /** CPU time of the whole process since the last heartbeat, as a share of one core. */
  cpu_share: number;
  parts: readonly PartReport[];
  processors: readonly ProcessorReport[];
  /** Servers whose versions this service queries, because other processes cannot reach them. */
  servers: readonly SeenServer[];
  /** By the database's clock, so that machines' clocks need not agree. */
  beat_at: Generated<Date>;
  /** Time of its first report. */
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
