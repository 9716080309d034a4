import { Type } from "typebox";
import { type Environment, loadConfig } from "#runtime/config/load-config.ts";
import {
  type ProcessSettings,
  processSettings,
  processVariables,
} from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  connectionsVariable,
  originsOf,
  variables,
} from "#runtime/config/variables.ts";
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
  /** Connections to each PostgreSQL server at most; {@link CONNECTIONS} when absent. */
  readonly connections?: number;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://`: counters that all processes share; each in its memory when absent. */
  readonly rateLimitUrl?: string;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  readonly corsOrigins?: readonly string[];
  readonly originToken?: string;
  readonly processMetrics?: boolean;
}

/** A process of its own listens somewhere besides. */
export type QueryApiProcessConfig = QueryApiConfig & ProcessSettings;

/** Connections to one server: what the service cannot do without, and its budget by default. */
export const CONNECTIONS = { least: 5, most: 10 } as const;

export const queryApiVariables = Type.Object({
  ...processVariables(3002),
  DATABASE_URL: variables.DATABASE_URL,
  DATABASE_PASSWORD: Type.Optional(variables.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(variables.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(variables.KEYS_URL),
  SEARCH_URL: Type.Optional(variables.SEARCH_URL),
  MASTER_KEY: variables.MASTER_KEY,
  DATABASE_CONNECTIONS: connectionsVariable(CONNECTIONS),
  RATE_LIMIT_URL: Type.Optional(variables.RATE_LIMIT_URL),
  RATE_LIMIT: variables.RATE_LIMIT,
  TRUST_PROXY: variables.TRUST_PROXY,
  CORS_ORIGINS: Type.Optional(variables.CORS_ORIGINS),
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readQueryApiConfig(environment: Environment = process.env): QueryApiProcessConfig {
  const env = loadConfig(queryApiVariables, environment);
  checkRateLimit(env);
  return {
    ...processSettings(env, environment),
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    searchUrl: env.SEARCH_URL ?? env.DATABASE_URL,
    masterKeys: masterKeysOf(environment),
    limits: env.RATE_LIMIT,
    trustProxyHops: env.TRUST_PROXY,
    ...(env.RATE_LIMIT_URL ? { rateLimitUrl: env.RATE_LIMIT_URL } : {}),
    ...(env.CORS_ORIGINS ? { corsOrigins: originsOf(env.CORS_ORIGINS) } : {}),
  };
}
