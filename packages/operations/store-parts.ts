import type { Pool } from "pg";
import type { StoreSettings } from "#runtime/config/shared-settings.ts";
import { modeOf, type PartCheck } from "./part-check.ts";

/** The stores that every service opens, as far as the checks use them. */
export interface CheckedStores {
  readonly pool: Pick<Pool, "query">;
  readonly store: { head(): Promise<unknown> };
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
}

/** The checks of database, event log and keys. */
export function storeParts(
  { databaseUrl, eventStoreUrl, keysUrl, embeddedPostgres }: StoreSettings,
  { pool, store, keys }: CheckedStores,
): PartCheck[] {
  return [
    {
      part: "database",
      mode: modeOf(databaseUrl, embeddedPostgres),
      check: () => pool.query("select 1"),
    },
    {
      part: "event_log",
      mode: modeOf(eventStoreUrl, embeddedPostgres),
      check: () => store.head(),
    },
    // No key has this name; only the reply matters.
    { part: "keys", mode: modeOf(keysUrl, embeddedPostgres), check: () => keys.get(["readiness"]) },
  ];
}

/** The check of the shared counters; none where each process counts in memory. */
export function counterParts(counters: { ping(): Promise<void> } | undefined): PartCheck[] {
  if (!counters) return [];
  return [{ part: "redis", mode: "external", check: () => counters.ping() }];
}

/** The check of the store of files. */
export function filesPart(
  { filesUrl, embeddedPostgres }: StoreSettings & { readonly filesUrl: string },
  files: { ping(): Promise<void> },
): PartCheck {
  return { part: "s3", mode: modeOf(filesUrl, embeddedPostgres), check: () => files.ping() };
}
