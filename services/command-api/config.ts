import { Type } from "typebox";
import { ConfigInvalid, type Environment, loadConfig } from "#runtime/config/load-config.ts";
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

/** What the command side needs to know; the processes' `main.ts` and the launcher fill it in. */
export interface CommandApiConfig {
  readonly version: string;
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
  /** Connections to each PostgreSQL server at most; {@link CONNECTIONS} when absent. */
  readonly connections?: number;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://`: counters that all processes share; each in its memory when absent. */
  readonly rateLimitUrl?: string;
  readonly trustProxyHops: number;
  /** Origins whose pages may call this service; none when absent. */
  readonly corsOrigins?: readonly string[];
  readonly originToken?: string;
  readonly processMetrics?: boolean;
  /** Told of the address of each account that signs in, before it is answered. */
  readonly onSignIn?: (email: string) => Promise<void>;
}

/** A process of its own listens somewhere, and may make the first admin. */
export interface CommandApiProcessConfig extends CommandApiConfig, ProcessSettings {
  readonly firstAdmin?: { readonly email: string; readonly password: string };
}

/** Connections to one server: what the service cannot do without, and its budget by default. */
export const CONNECTIONS = { least: 3, most: 10 } as const;

export const commandApiVariables = Type.Object({
  ...processVariables(3001),
  DATABASE_URL: variables.DATABASE_URL,
  DATABASE_PASSWORD: Type.Optional(variables.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(variables.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(variables.KEYS_URL),
  MASTER_KEY: variables.MASTER_KEY,
  DATABASE_CONNECTIONS: connectionsVariable(CONNECTIONS),
  ADMIN_EMAIL: Type.Optional(variables.ADMIN_EMAIL),
  ADMIN_PASSWORD: Type.Optional(variables.ADMIN_PASSWORD),
  RATE_LIMIT_URL: Type.Optional(variables.RATE_LIMIT_URL),
  RATE_LIMIT: variables.RATE_LIMIT,
  TRUST_PROXY: variables.TRUST_PROXY,
  CORS_ORIGINS: Type.Optional(variables.CORS_ORIGINS),
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readCommandApiConfig(
  environment: Environment = process.env,
): CommandApiProcessConfig {
  const env = loadConfig(commandApiVariables, environment);
  checkRateLimit(env);
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (!email !== !password)
    throw new ConfigInvalid([
      `${email ? "ADMIN_PASSWORD" : "ADMIN_EMAIL"} is missing: the first admin needs an address and a password`,
    ]);
  return {
    ...processSettings(env, environment),
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    masterKeys: masterKeysOf(environment),
    limits: env.RATE_LIMIT,
    trustProxyHops: env.TRUST_PROXY,
    ...(env.RATE_LIMIT_URL ? { rateLimitUrl: env.RATE_LIMIT_URL } : {}),
    ...(env.CORS_ORIGINS ? { corsOrigins: originsOf(env.CORS_ORIGINS) } : {}),
    ...(email && password ? { firstAdmin: { email, password } } : {}),
  };
}
