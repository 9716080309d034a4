import type { AuditDetails } from "#contracts/http/audit.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { vacuumSoon } from "#runtime/db/migrate.ts";
import type { Json, Timestamp } from "./column-types.ts";

/** `audit.entry`: one row per event, of any type. */
export interface AuditEntryTable {
  position: string;
  event_id: string;
  at: Timestamp;
  /** The account's ID; for visitors and the system, their role. */
  actor_id: string;
  actor_role: string;
  /** Name of the command, for example `ApproveReport`. */
  command: string;
  event_type: string;
  stream: string;
  revision: number;
  schema_version: number;
  /** `failure`: a sign-in or call that was rejected. `warning`: see `auditStatus` of the projection. */
  status: "success" | "failure" | "warning";
  origin: "live" | "sample";
  /** The report that the event concerns. For access to sealed data, the report that was opened. */
  report_id: string | null;
  /** Codes and numbers of the event, for events that their command alone does not explain. */
  details: Json<AuditDetails | null>;
  /** Network address and user agent, sealed as in the event, for `openClient` of `vault/sealing`. */
  client: Json<Sealed | null>;
}

/** `audit.actor`: the person behind an account's ID; the name is sealed as in the event. */
export interface AuditActorTable {
  actor_id: string;
  role: string;
  /** The event in which `account` was sealed: part of the box's additional data. */
  event_id: string;
  stream: string;
  event_type: string;
  schema_version: number;
  /** The part `account` of the event: email, first and last name. */
  account: Json<Sealed | null>;
  added_at: Timestamp;
}

/** `audit.figure_facet`: number of entries with the same values. All come from closed lists, so there are few rows. */
export interface AuditFacetStatsTable
  extends Pick<AuditEntryTable, "event_type" | "command" | "actor_role" | "status"> {
  /** `report` in `report-1b9d...`. All events of one type are in one kind of stream. */
  stream_kind: string;
  entries: number;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const AUDIT_LAYOUT = 7;

/** Returns the DDL of the tables with primary keys only. The rest follows once a rebuild has filled them. */
export function createAuditTables(schema: string): string {
  return `
    create table ${schema}.entry (
      position text collate "C" primary key,
      event_id uuid not null,
      at timestamptz not null,
      actor_id text collate "C" not null,
      actor_role text collate "C" not null,
      command text collate "C" not null,
      event_type text collate "C" not null,
      stream text collate "C" not null,
      revision int not null,
      schema_version int not null,
      status text collate "C" not null,
      origin text not null,
      report_id uuid,
      details jsonb,
      client jsonb
    );
    create table ${schema}.figure_facet (
      event_type text collate "C" not null,
      command text collate "C" not null,
      actor_role text collate "C" not null,
      status text collate "C" not null,
      stream_kind text collate "C" not null,
      entries bigint not null,
      primary key (event_type, command, actor_role, status, stream_kind)
    );
    ${vacuumSoon(`${schema}.figure_facet`)}
    create table ${schema}.actor (
      actor_id text collate "C" primary key,
      role text not null,
      event_id uuid not null,
      stream text not null,
      event_type text not null,
      schema_version int not null,
      account jsonb,
      added_at timestamptz not null
    );
  `;
}

export function createAuditIndexes(schema: string): string {
  return `
    -- The audit log's filters: each combination of shared values is one range, newest first; the
    -- same for one account. "POSIX" sorts like "C", but a query that asks for it takes the order
    -- from one of these, and not from the primary key, which it would read until enough match.
    create index entry_by_facet on ${schema}.entry
      (event_type, command, actor_role, status, position collate "POSIX" desc);
    create index entry_by_actor on ${schema}.entry
      (actor_id, event_type, command, actor_role, status, position collate "POSIX" desc);
    -- Ids, and beginnings of ids.
    create index entry_by_stream on ${schema}.entry (stream, position desc);
    create index entry_by_event on ${schema}.entry (event_id);
    -- Everything about a report, and who opened its sealed data.
    create index entry_by_report on ${schema}.entry (report_id, event_type, position desc)
      where report_id is not null;
  `;
}
