import type { Pool } from "pg";
import { type PlannedProcess, REQUEST_KEPT, type RequestTable } from "#operations/request-table.ts";

/** Seconds without a report after which a process counts as gone. */
const GONE_SECONDS = 15;

/** A service in a process that is asked to do something. */
export interface Asked {
  readonly id: string;
  readonly service: string;
  /** How many entries it has removed; undefined until it has answered. */
  readonly count: number | undefined;
  /** It has stopped, or reports no more. */
  readonly isGone: boolean;
}

/** Who was there when it was asked, and whoever has answered and stopped since. */
const ASKED = `
  select coalesce(p.id, a.process) as id, coalesce(p.service, a.service) as service, a.count,
    coalesce(p.beat_at < now() - interval '${GONE_SECONDS} seconds', true) as is_gone
  from (
    select p.* from ops.process p join ops.request r on r.id = $1 and p.began_at <= r.asked_at
    where p.beat_at > r.asked_at - interval '${GONE_SECONDS} seconds'
  ) p
  full join (select * from ops.answer where request_id = $1) a on a.process = p.id
  order by service, id`;

/** Seconds that a process must have run to count as started: its first report comes before its first answer. */
const SETTLED_SECONDS = 5;

/** command-api comes last: the job that restarts the others runs there. */
const PLAN = `
  insert into ops.request (id, action, plan)
  select $1, 'restart', coalesce(jsonb_agg(
    jsonb_build_object('id', id, 'process_id', process_id, 'service', service)
    order by service = 'command-api', service, id), '[]')
  from ops.process where beat_at > now() - interval '${GONE_SECONDS} seconds'
  on conflict do nothing`;

const STANDING = `
  select
    exists (select from ops.process where id = $2 and beat_at > now() - interval '${GONE_SECONDS} seconds')
      as is_there,
    (select count from ops.answer where request_id = $1 and process = $2) as answer,
    (select count(*) from ops.process where service = $3 and id <> $2
      and beat_at > now() - interval '${GONE_SECONDS} seconds'
      and began_at < now() - interval '${SETTLED_SECONDS} seconds')::int as others`;

/** How far the restart of one process is. */
export interface Standing {
  /** Whether it still reports. */
  readonly is_there: boolean;
  /** 1: it ends, 0: nothing would start it again; null until it has answered. */
  readonly answer: number | null;
  /** The other processes of its service that run, the new one among them. */
  readonly others: number;
}

/** What all processes are asked to do. Times are the database's. */
export class RequestStore {
  readonly #pool: Pick<Pool, "query">;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /** Asks every process, once for each id, and forgets what was asked long ago. */
  async ask(id: string, action: RequestTable["action"]): Promise<void> {
    await this.#sweep();
    await this.#pool.query(
      "insert into ops.request (id, action) values ($1, $2) on conflict do nothing",
      [id, action],
    );
  }

  /** Notes which processes are to be restarted, once for each id. @returns them in their order. */
  async plan(id: string): Promise<readonly PlannedProcess[]> {
    await this.#sweep();
    await this.#pool.query(PLAN, [id]);
    const { rows } = await this.#pool.query<{ plan: readonly PlannedProcess[] }>(
      "select plan from ops.request where id = $1",
      [id],
    );
    return rows[0]?.plan ?? [];
  }

  /** Tells one process to end. */
  async turn(id: string, process: string): Promise<void> {
    await this.#pool.query("update ops.request set turn = $2 where id = $1", [id, process]);
  }

  async standing(id: string, { id: process, service }: PlannedProcess): Promise<Standing> {
    const { rows } = await this.#pool.query<Standing>(STANDING, [id, process, service]);
    return rows[0] as Standing;
  }

  async #sweep(): Promise<void> {
    await this.#pool.query(
      `delete from ops.request where asked_at < now() - interval '${REQUEST_KEPT}'`,
    );
  }

  /** The processes that were running when it was asked. */
  async asked(id: string): Promise<readonly Asked[]> {
    const { rows } = await this.#pool.query<{
      id: string;
      service: string;
      count: number | null;
      is_gone: boolean;
    }>(ASKED, [id]);
    return rows.map(({ id, service, count, is_gone }) => ({
      id,
      service,
      count: count ?? undefined,
      isGone: is_gone,
    }));
  }
}
