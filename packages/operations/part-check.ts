import type { Pool } from "pg";
import type { PartMode, PartReport, SystemPart } from "#contracts/http/system.ts";
import type { StoreSettings } from "#runtime/config/shared-settings.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { isDatabaseUnavailable } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";

/** Time limit of one check, in milliseconds. */
export const PART_LIMIT_MS = 2000;

/** Where a part runs, and how to check that it works. */
export interface PartCheck {
  readonly part: SystemPart;
  readonly mode: PartMode;
  /** Resolves if the part answers. */
  readonly check: () => Promise<unknown>;
  /** Minimum milliseconds between two checks, for one that is costly for its server. */
  readonly everyMs?: number;
}

class OutOfTime extends Error {}

/** Error codes and names that clients use when there was no answer. */
const NOBODY =
  /^(ECONNREFUSED|ECONNRESET|ECONNECTION|ENOTFOUND|EAI_AGAIN|EDNS|ESOCKET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/;
/** Names of the adapters' errors for an unreachable server. */
const UNAVAILABLE =
  /^(StoreUnavailable|KeyStoreUnavailable|SearchUnavailable|FilesUnavailable|JobsAway|CountersAway)$/;

/** `disconnected` if there was no answer; `error` if the server refused, for example the credentials. */
export function statusOfFailure(error: unknown): Exclude<PartReport["status"], "connected"> {
  if (error instanceof OutOfTime || isDatabaseUnavailable(error)) return "disconnected";
  const { code, name, isRefusal } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (isRefusal === true) return "error";
  return NOBODY.test(String(code)) || UNAVAILABLE.test(String(name)) ? "disconnected" : "error";
}

/** Runs a check within {@link PART_LIMIT_MS}. Never rejects. */
export async function runPart({ part, mode, check }: PartCheck): Promise<PartReport> {
  const start = performance.now();
  const status = await withDeadline(
    (async () => check())(),
    PART_LIMIT_MS,
    () => new OutOfTime(),
  ).then(() => "connected" as const, statusOfFailure);
  return { part, mode, status, ms: Math.round(performance.now() - start) };
}

/**
 * Whether a store is embedded in the registry: a folder, or the launcher's PostgreSQL.
 * @param embeddedPostgres `host:port`
 */
export function modeOf(url: string, embeddedPostgres: string | undefined): PartMode {
  if (schemeOf(url) === "file") return "embedded";
  const isEmbedded =
    schemeOf(url) === "postgres" &&
    embeddedPostgres !== undefined &&
    new URL(url).host === embeddedPostgres;
  return isEmbedded ? "embedded" : "external";
}

/** The stores every service opens, reduced to what the checks use. */
interface CheckedStores {
  readonly pool: Pick<Pool, "query">;
  readonly store: { head(): Promise<unknown> };
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
}

/** Checks of the database, event log and keys. */
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
    // No key has this name; only getting a reply matters.
    { part: "keys", mode: modeOf(keysUrl, embeddedPostgres), check: () => keys.get(["readiness"]) },
  ];
}

/** The check of the shared counters; none if each process counts in memory. */
export function counterParts(counters: { ping(): Promise<void> } | undefined): PartCheck[] {
  if (!counters) return [];
  return [{ part: "redis", mode: "external", check: () => counters.ping() }];
}

/** The check of the file store. */
export function filesPart(
  { filesUrl, embeddedPostgres }: StoreSettings & { readonly filesUrl: string },
  files: { ping(): Promise<void> },
): PartCheck {
  return { part: "s3", mode: modeOf(filesUrl, embeddedPostgres), check: () => files.ping() };
}
