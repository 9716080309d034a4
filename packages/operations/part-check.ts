import type { PartMode, PartReport, SystemPart } from "#contracts/http/system.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { isDatabaseUnavailable } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";

/** Milliseconds that one check may take. */
export const PART_LIMIT_MS = 2000;

/** Where a part runs, and how to find out whether it works. */
export interface PartCheck {
  readonly part: SystemPart;
  readonly mode: PartMode;
  /** Resolves when the part answered. */
  readonly check: () => Promise<unknown>;
  /** Least milliseconds between two checks, for one that costs its server something. */
  readonly everyMs?: number;
}

class OutOfTime extends Error {}

/** Codes and names with which clients say that nobody answered. */
const NOBODY =
  /^(ECONNREFUSED|ECONNRESET|ECONNECTION|ENOTFOUND|EAI_AGAIN|EDNS|ESOCKET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/;
/** Names of the adapters' errors for a server that cannot be reached. */
const AWAY =
  /^(StoreUnavailable|KeyStoreUnavailable|SearchUnavailable|FilesUnavailable|JobsAway|CountersAway)$/;

/**
 * `disconnected` when nobody answered, in time or at all; `error` when somebody answered and
 * refused, for instance credentials.
 */
export function statusOfFailure(error: unknown): Exclude<PartReport["status"], "connected"> {
  if (error instanceof OutOfTime || isDatabaseUnavailable(error)) return "disconnected";
  const { code, name, isRefusal } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (isRefusal === true) return "error";
  return NOBODY.test(String(code)) || AWAY.test(String(name)) ? "disconnected" : "error";
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
 * Whether a store comes with the registry: a folder, or the launcher's PostgreSQL.
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
