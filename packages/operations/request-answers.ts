import type { Pool } from "pg";
import type { Caches } from "./caches.ts";
import { REQUEST_KEPT } from "./request-table.ts";

/** Most requests that are looked at. Only one runs at a time. */
const MOST = 20;

/**
 * Requests of the last hour, the newest first, and whether this process is asked: not for those
 * from before it began, as it would otherwise do them again after each restart.
 */
const READ = `
  select r.id, r.action,
    r.asked_at >= p.began_at and not exists (
      select from ops.answer a where a.request_id = r.id and a.process = p.id
    ) as is_open
  from ops.request r left join ops.process p on p.id = $1
  where r.asked_at > now() - interval '${REQUEST_KEPT}'
  order by r.asked_at desc limit ${MOST}`;

/** A request that was swept meanwhile is answered by nobody. */
const ANSWER = `
  insert into ops.answer (request_id, process, service, count)
  select id, $2, $3, $4 from ops.request where id = $1
  on conflict do nothing`;

/** Does what every process is asked to do, and says how many entries it has removed. */
export async function answerRequests(deps: {
  readonly pool: Pick<Pool, "query">;
  /** Of the service's row in `ops.process`. */
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
