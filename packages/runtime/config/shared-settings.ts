import { originsOf, type VariablesOf } from "./read-variables.ts";

/** Settings of the stores that every service opens. */
export interface StoreSettings {
  /** Read models, checkpoints, and the tables of the services. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** Most connections to each PostgreSQL server; `CONNECTIONS` when absent. */
  readonly connections?: number;
}

/** Settings of the services that answer visitors. */
export interface PublicSettings {
  readonly limits: "on" | "off";
  /**
   * `redis://` or `rediss://`, for counters that all processes share. When absent, each process
   * counts in its memory.
   */
  readonly rateLimitUrl?: string | undefined;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** Origins whose pages may call the service; none when absent. */
  readonly corsOrigins?: readonly string[] | undefined;
}

type StoreNames = "DATABASE_URL" | "EVENT_STORE_URL" | "KEYS_URL" | "DATABASE_CONNECTIONS";
type PublicNames = "RATE_LIMIT" | "RATE_LIMIT_URL" | "TRUST_PROXY" | "CORS_ORIGINS";

export function storeSettings(env: Pick<VariablesOf<"projector">, StoreNames>): StoreSettings {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
  };
}

export function publicSettings(env: Pick<VariablesOf<"query-api">, PublicNames>): PublicSettings {
  return {
    limits: env.RATE_LIMIT,
    rateLimitUrl: env.RATE_LIMIT_URL,
    trustProxyHops: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS ? originsOf(env.CORS_ORIGINS) : undefined,
  };
}
