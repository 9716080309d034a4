import type { ReadinessCheck } from "./health.ts";

/** The stores of a service, as far as asking them for an answer goes. */
export interface CheckedStores {
  readonly database?: { query(text: string): Promise<unknown> };
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
  readonly event_log: { head(): Promise<unknown> };
}

/** A check for each store: not ok while it gives no answer. */
export function storeChecks({ database, keys, event_log }: CheckedStores) {
  const answered = (ask: () => Promise<unknown>): ReadinessCheck => {
    return async () => {
      await ask();
      return { ok: true };
    };
  };
  return {
    ...(database ? { database: answered(() => database.query("select 1")) } : {}),
    // Nobody has a key of this name: only the answer counts.
    keys: answered(() => keys.get(["readiness"])),
    event_log: answered(() => event_log.head()),
  };
}
