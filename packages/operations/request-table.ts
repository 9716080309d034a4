import type { Generated } from "kysely";
import type { Pool } from "pg";

/** `ops.request`: a request to every process. Deleted after an hour. */
export interface RequestTable {
  /** ID of the job that asks. */
  id: string;
  action: "clear-cache" | "restart";
  asked_at: Generated<Date>;
}

/** How long a request is kept, as an `interval`. */
export const REQUEST_LIFETIME = "1 hour";

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

/** Maximum requests that are read. Only one runs at a time. */
const MAX = 20;

/** Requests of the last hour, newest first, and whether they were made after this process started. */
const READ = `
  select r.id, r.action,
    r.asked_at >= p.began_at and not exists (
      select from ops.answer a where a.request_id = r.id and a.process = p.id
    ) as is_open
  from ops.request r left join ops.process p on p.id = $1
  where r.asked_at > now() - interval '${REQUEST_LIFETIME}'
  order by r.asked_at desc limit ${MAX}`;

/** Answers nothing if the request was deleted in the meantime. */
const ANSWER = `
  insert into ops.answer (request_id, process, service, count)
  select id, $2, $3, $4 from ops.request where id = $1
  on conflict do nothing`;

/** Carries out requests to all processes, and records how many cache entries it removed. */
export async function answerRequests(deps: {
  readonly pool: Pick<Pool, "query">;
  /** ID of the service's row in `ops.process`. */
  readonly id: string;
  readonly service: string;
  readonly caches: Caches;
  readonly restart: () => void;
}): Promise<void> {
  const { pool, id, service, caches, restart } = deps;
  const { rows } = await pool.query<{
    id: string;
    action: string;
    is_open: boolean | null;
  }>(READ, [id]);
  caches.know(rows.find(({ action }) => action === "clear-cache")?.id);
  for (const { id: request, action } of rows.filter(({ is_open }) => is_open)) {
    const isRestart = action === "restart";
    await pool.query(ANSWER, [request, id, service, isRestart ? 0 : caches.clear()]);
    if (isRestart) restart();
  }
}

/** An in-memory cache whose contents can be read or computed again. */
export interface ClearableCache {
  /** Empties the cache. @returns how many entries it held. */
  clear(): number;
}

/** A service's in-memory caches. Keys, sessions and counters are not included: clearing them would be unsafe. */
export class Caches {
  readonly #all: ClearableCache[] = [];
  #newest: string | undefined;

  /** Adds a cache that lives as long as the service. @returns it. */
  add<T extends ClearableCache>(cache: T): T {
    this.#all.push(cache);
    return cache;
  }

  /** Empties all caches. @returns how many entries they held. */
  clear(): number {
    return this.#all.reduce((sum, cache) => sum + cache.clear(), 0);
  }

  /** The newest request of the last hour to empty the caches; web, which has no database, watches it. */
  get newest(): string | undefined {
    return this.#newest;
  }

  /** Records the newest request. */
  know(request: string | undefined): void {
    this.#newest = request;
  }
}
