import type { Generated } from "kysely";

/** `ops.request`: something that every process is asked to do. Swept after an hour. */
export interface RequestTable {
  /** Of the job that asks. */
  id: string;
  action: "clear-cache" | "restart";
  asked_at: Generated<Date>;
}

/** `ops.answer`: a service in a process has done it. */
export interface AnswerTable {
  request_id: string;
  /** `id` of its row in `ops.process`. */
  process: string;
  service: string;
  /** How many entries were removed; 0 for a restart. */
  count: number;
}

/** For how long a request stands, in the syntax of `interval`. */
export const REQUEST_KEPT = "1 hour";

export const requestMigration = {
  id: "2026-11-23-request",
  sql: `
    create table request (
      id uuid primary key,
      action text not null,
      asked_at timestamptz not null default now()
    );
    create table answer (
      request_id uuid not null references request on delete cascade,
      process uuid not null,
      service text not null,
      count int not null check (count >= 0),
      primary key (request_id, process)
    );
  `,
};
