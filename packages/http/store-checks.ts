import type { Pool } from "pg";
import { given } from "#contracts/given.ts";
import { rightsOf, type ServiceName } from "#runtime/db/service-roles.ts";
import type { ReadinessCheck } from "./health.ts";

/** The part of a service's stores that checks call. */
export interface CheckedStores {
  readonly database?: Pick<Pool, "query">;
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
  readonly event_log: { head(): Promise<unknown> };
}

/**
 * One check for each store: not ok while the store does not answer. The database's check also
 * reports whether the service runs under its own role.
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
    ...given({ database: database && databaseCheck(database) }),
    // No key has this name; only the reply matters.
    keys: answered(() => keys.get(["readiness"])),
    event_log: answered(() => event_log.head()),
  };
}
