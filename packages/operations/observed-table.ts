import type { Pool } from "pg";

/** Who made a call that leaves a trace, and what came of it. */
export interface Observation {
  readonly account: string;
  readonly role: string;
  readonly method: string;
  /** The route's pattern, never the address that was called: it may hold personal data. */
  readonly route: string;
  /** Code of the refusal, or {@link CONTACT_FOUND}. */
  readonly code: string;
}

/** A search by email or phone found a report. What was searched is not stored. */
export const CONTACT_FOUND = "contact_found";

/**
 * `ops.observed`: calls that command-api turns into events. Services may only insert: the trigger counts
 * the same call of an hour in one row, so that nobody can fill the table.
 */
export const observedMigration = {
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

/** Leaves a trace of a call, before its answer. */
export type Observe = (seen: Observation) => Promise<void>;

export function observer(pool: Pick<Pool, "query">): Observe {
  return async ({ account, role, method, route, code }) => {
    await pool.query(INSERT, [account, role, method, route, code]);
  };
}
