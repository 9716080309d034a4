import type { Pool } from "pg";
import {
  JOB_DAYS,
  JOBS_OF_AUDITORS,
  type JobKindName,
  type JobState,
} from "#contracts/http/jobs.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { NewJobLine } from "./job-kind.ts";

/** Lease time in milliseconds. */
const LEASE_MS = 30_000;

const MAX_OF_ACCOUNT = 5;

export interface NewJob {
  readonly id: string;
  readonly kind: JobKindName;
  readonly accountId: string;
  readonly sealed: Sealed;
  readonly bodyMac: string;
  readonly total: number | undefined;
  readonly isSingle: boolean;
}

export interface TakenJob {
  readonly id: string;
  readonly kind: JobKindName;
  readonly state: JobState;
  readonly account_id: string;
  readonly sealed: Sealed;
  readonly attempts: number;
  readonly allowed: boolean;
}

/** The job's state, returned by each write of a runner. */
export interface JobStatus {
  readonly state: JobState;
  readonly allowed: boolean;
}

export interface JobEnd {
  readonly state: "done" | "stopped" | "failed";
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** Evaluated on each write, so a ban, a deletion or a role change takes effect while the job runs. */
const ALLOWED = `exists (select from command.account a
  where a.id = job.account_id and a.status = 'active' and (a.role = 'admin' or
    a.role = 'auditor' and job.kind in (${JOBS_OF_AUDITORS.map((kind) => `'${kind}'`).join(", ")}))) as allowed`;

/** Jobs and their lines. Each write names the runner, so that a process without the lease can't write. */
export class JobStore {
  readonly #pool: Pool;
  readonly #leaseMs: number;

  constructor(pool: Pool, leaseMs = LEASE_MS) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
  }

  /** Returns the job that was started under one of these IDs. */
  async known(
    ids: readonly string[],
  ): Promise<{ readonly id: string; readonly bodyMac: string } | undefined> {
    const { rows } = await this.#pool.query<{ id: string; body_mac: string }>(
      "select id, body_mac from command.job where id = any($1::uuid[])",
      [ids],
    );
    return rows[0] && { id: rows[0].id, bodyMac: rows[0].body_mac };
  }

  /** @returns false if the ID exists or the account has too many unfinished jobs. */
  async add(job: NewJob): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `insert into command.job (id, kind, account_id, state, sealed, body_mac, total, single)
       select $1::uuid, $2::text, $3::uuid, 'queued', $4::jsonb, $5::text, $6::int,
         case when $7::boolean then $2::text end
       where (
         select count(*) from command.job where account_id = $3::uuid and ended_at is null
       ) < $8::int
       on conflict do nothing`,
      [
        job.id,
        job.kind,
        job.accountId,
        JSON.stringify(job.sealed),
        job.bodyMac,
        job.total ?? null,
        job.isSingle,
        MAX_OF_ACCOUNT,
      ],
    );
    return rowCount === 1;
  }

  /** Takes the oldest job of these kinds without a live lease. */
  async take(runner: string, kinds: readonly string[]): Promise<TakenJob | undefined> {
    const { rows } = await this.#pool.query<TakenJob>(
      `update command.job set runner = $1, lease_until = now() + $3 * interval '1 ms',
         attempts = attempts + 1, started_at = coalesce(started_at, now()),
         state = case state when 'queued' then 'running' else state end
       where id = (
         select id from command.job
         where ended_at is null and kind = any($2) and (lease_until is null or lease_until < now())
         order by created_at limit 1 for update skip locked
       )
       returning id, kind, state, account_id, sealed, attempts, ${ALLOWED}`,
      [runner, kinds, this.#leaseMs],
    );
    return rows[0];
  }

  /** @returns undefined if the runner has lost the job; same for the next three methods. */
  renew(id: string, runner: string): Promise<JobStatus | undefined> {
    return this.#write("lease_until = now() + $3 * interval '1 ms'", [id, runner, this.#leaseMs]);
  }

  progress(id: string, runner: string, done: number): Promise<JobStatus | undefined> {
    return this.#write("done = $3", [id, runner, done]);
  }

  total(id: string, runner: string, total: number): Promise<JobStatus | undefined> {
    return this.#write("total = $3", [id, runner, total]);
  }

  /** Adds a line. The update locks the job's row, so that lines are numbered sequentially. */
  async line(id: string, runner: string, line: NewJobLine): Promise<JobStatus | undefined> {
    const { rows } = await this.#pool.query<JobStatus>(
      `with moved as (
         update command.job set done = done + 1, position = greatest(position, $7::text)
         where id = $1 and runner = $2 and ended_at is null
         returning done, state, ${ALLOWED}
       ), added as (
         insert into command.job_line (job_id, number, target, outcome, code, message)
         select $1::uuid, done, $3::text, $4::text, $5::text, $6::text from moved
       )
       select state, allowed from moved`,
      [
        id,
        runner,
        line.target ?? null,
        line.outcome,
        line.code ?? null,
        line.message ?? null,
        line.position ?? null,
      ],
    );
    return rows[0];
  }

  async targets(id: string): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ target: string }>(
      "select target from command.job_line where job_id = $1 and target is not null",
      [id],
    );
    return new Set(rows.map(({ target }) => target));
  }

  /** Ends a job and deletes its input, unless the runner lost it. With all targets done, it counts as done. */
  async end(id: string, runner: string, { state, error }: JobEnd): Promise<void> {
    await this.#pool.query(
      `update command.job set state = case when $3 = 'stopped' and done = total then 'done' else $3 end,
         error_code = $4, error_message = $5, ended_at = now(),
         sealed = null, runner = null, lease_until = null
       where id = $1 and runner = $2 and ended_at is null`,
      [id, runner, state, error?.code ?? null, error?.message ?? null],
    );
  }

  /** Releases a job so that another process can take it immediately. The attempt doesn't count. */
  async release(id: string, runner: string): Promise<void> {
    await this.#pool.query(
      `update command.job set runner = null, lease_until = null, attempts = attempts - 1
       where id = $1 and runner = $2 and ended_at is null`,
      [id, runner],
    );
  }

  /** Asks a job to stop; a queued one stops immediately. @returns undefined if there is no such job. */
  async stop(
    id: string,
    accountId: string,
    kinds: readonly JobKindName[] | undefined,
  ): Promise<JobState | undefined> {
    const { rows } = await this.#pool.query<{ state: JobState }>(
      `update command.job set
         state = case state when 'queued' then 'stopped' when 'running' then 'stopping' else state end,
         ended_at = case state when 'queued' then now() else ended_at end,
         sealed = case state when 'queued' then null else sealed end,
         stop_asked_by = case when ended_at is null then coalesce(stop_asked_by, $2) else stop_asked_by end
       where id = $1 and ($3::text[] is null or kind = any($3)) returning state`,
      [id, accountId, kinds ?? null],
    );
    return rows[0]?.state;
  }

  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.job where ended_at < $1", [
      new Date(nowMs - JOB_DAYS * 24 * 3_600_000),
    ]);
  }

  async #write(change: string, values: readonly unknown[]): Promise<JobStatus | undefined> {
    const { rows } = await this.#pool.query<JobStatus>(
      `update command.job set ${change} where id = $1 and runner = $2 and ended_at is null
       returning state, ${ALLOWED}`,
      [...values],
    );
    return rows[0];
  }
}
