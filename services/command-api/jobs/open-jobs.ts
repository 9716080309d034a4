import type { Pool } from "pg";
import type { Logger } from "pino";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { JobStore } from "./job.store.ts";
import type { JobKind } from "./job-kind.ts";
import { Jobs } from "./jobs.ts";

/** How long a process that says nothing keeps a job, in milliseconds. */
const LEASE_MS = 30_000;
const RENEW_MS = 2_000;
const LOOK_MS = 5_000;

/** The jobs of this process. @param kinds all that it can run. */
export function openJobs(deps: {
  readonly pool: Pool;
  readonly keys: Pick<KeyStore, "get">;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly kinds: readonly JobKind[];
}): Jobs {
  const { pool, ...rest } = deps;
  const times = { renewMs: RENEW_MS, lookMs: LOOK_MS };
  return new Jobs({ ...rest, store: new JobStore(pool, LEASE_MS), times });
}
