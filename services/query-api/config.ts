import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  originsOf,
  readVariables,
  type ServiceVariables,
} from "#runtime/config/read-variables.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";

/** What the read side needs to know; `main.ts` and the launcher fill it in. */
export interface QueryApiConfig {
  readonly version: string;
  /** Read models, checkpoints and accounts. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly searchUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
  /** Connections to each PostgreSQL server at most; `CONNECTIONS` when absent. */
  readonly connections?: number;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://`: counters that all processes share; each in its memory when absent. */
  readonly rateLimitUrl?: string | undefined;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  readonly corsOrigins?: readonly string[] | undefined;
  readonly processMetrics?: boolean;
}

/** A process of its own listens somewhere besides. */
export type QueryApiProcessConfig = QueryApiConfig & ProcessSettings;

/** What the variables say of the service, in a process of its own or among others in one. */
export function queryApiSettings(env: ServiceVariables<"query-api">) {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
    searchUrl: env.SEARCH_URL,
    limits: env.RATE_LIMIT,
    rateLimitUrl: env.RATE_LIMIT_URL,
    trustProxyHops: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS ? originsOf(env.CORS_ORIGINS) : undefined,
  } satisfies Partial<QueryApiConfig>;
}

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readQueryApiConfig(environment: Environment = process.env): QueryApiProcessConfig {
  const env = readVariables("query-api", environment);
  checkRateLimit(env);
  return {
    ...processSettings(env, environment),
    ...queryApiSettings(env),
    masterKeys: masterKeysOf(environment),
  };
}
