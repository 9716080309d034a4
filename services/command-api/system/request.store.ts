import type { Pool } from "pg";
import { REQUEST_LIFETIME, type RequestTable } from "#operations/request-table.ts";

/** Seconds without a report after which a process counts as gone. */
const PROCESS_TIMEOUT_SECONDS = 15;

/** A service in a process that has been sent a request. */
export interface RequestedProcess {
  readonly id: string;
  readonly service: string;
  /** How many entries it has removed; null until it has answered. */
  readonly count: number | null;
  /** Whether it has stopped, or no longer reports. */
  readonly isGone: boolean;
}

/** Processes that were running at the time of the request, with their answers since. */
const ASKED = `
  select coalesce(p.id, a.process) as id, coalesce(p.service, a.service) as service, a.count,
    coalesce(p.beat_at < now() - interval '${PROCESS_TIMEOUT_SECONDS} seconds', true) as "isGone"
  from (
    select p.* from ops.process p join ops.request r on r.id = $1 and p.began_at <= r.asked_at
    where p.beat_at > r.asked_at - interval '${PROCESS_TIMEOUT_SECONDS} seconds'
  ) p
  full join (select * from ops.answer where request_id = $1) a on a.process = p.id
  order by service, id`;

/** Stores requests to all processes. Times are the database's. */
export class RequestStore {
  readonly #pool: Pick<Pool, "query">;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /** Sends a request to every process, once per ID, and deletes old requests. */
  async ask(id: string, action: RequestTable["action"]): Promise<void> {
    await this.#pool.query(
      `delete from ops.request where asked_at < now() - interval '${REQUEST_LIFETIME}'`,
    );
    await this.#pool.query(
      "insert into ops.request (id, action) values ($1, $2) on conflict do nothing",
      [id, action],
    );
  }

  /** Returns the processes that were running at the time of the request. */
  async asked(id: string): Promise<readonly RequestedProcess[]> {
    const { rows } = await this.#pool.query<RequestedProcess>(ASKED, [id]);
    return rows;
  }
}
