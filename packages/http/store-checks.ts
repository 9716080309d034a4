import type { Pool } from "pg";
import { rightsOf, type ServiceName } from "#runtime/db/service-roles.ts";
import type { ReadinessCheck } from "./health.ts";

/** The stores of a service, as far as a check calls them. */
export interface CheckedStores {
  readonly database?: Pick<Pool, "query">;
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
  readonly event_log: { head(): Promise<unknown> };
}

/**
 * A check for each store: not ok while it gives no answer. The database's says besides whether the
 * service runs under its own role.
 */
export function storeChecks(service: ServiceName, { database, keys, event_log }: CheckedStores) {
  const answered = (ask: () => Promise<unknown>): ReadinessCheck => {
    return async () => {
      await ask();
      return { ok: true };
    };
  };
  const databaseCheck = (pool: Pick<Pool, "query">): ReadinessCheck => {
    return async () => ({ ok: true, detail: { rights: await rightsOf(pool, service) } });
  };
  return {
    ...(database ? { database: databaseCheck(database) } : {}),
    // Nobody has a key of this name: only the answer counts.
    keys: answered(() => keys.get(["readiness"])),
    event_log: answered(() => event_log.head()),
  };
}
