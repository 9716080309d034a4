import { ConfigInvalid, type Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  originsOf,
  readVariables,
  type ServiceVariables,
} from "#runtime/config/read-variables.ts";
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
  /** Connections to each PostgreSQL server at most; `CONNECTIONS` when absent. */
  readonly connections?: number;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://`: counters that all processes share; each in its memory when absent. */
  readonly rateLimitUrl?: string | undefined;
  readonly trustProxyHops: number;
  /** Origins whose pages may call this service; none when absent. */
  readonly corsOrigins?: readonly string[] | undefined;
  readonly originToken?: string;
  readonly processMetrics?: boolean;
  /** Told of the address of each account that signs in, before it is answered. */
  readonly onSignIn?: (email: string) => Promise<void>;
}

/** A process of its own listens somewhere, and may make the first admin. */
export interface CommandApiProcessConfig extends CommandApiConfig, ProcessSettings {
  readonly firstAdmin?: { readonly email: string; readonly password: string } | undefined;
}

/** What the variables say of the service, in a process of its own or among others in one. */
export function commandApiSettings(env: ServiceVariables<"command-api">) {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
    limits: env.RATE_LIMIT,
    rateLimitUrl: env.RATE_LIMIT_URL,
    trustProxyHops: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS ? originsOf(env.CORS_ORIGINS) : undefined,
  } satisfies Partial<CommandApiConfig>;
}

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readCommandApiConfig(
  environment: Environment = process.env,
): CommandApiProcessConfig {
  const env = readVariables("command-api", environment);
  checkRateLimit(env);
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (!email !== !password)
    throw new ConfigInvalid([
      `${email ? "ADMIN_PASSWORD" : "ADMIN_EMAIL"} is missing: the first admin needs an address and a password`,
    ]);
  return {
    ...processSettings(env, environment),
    ...commandApiSettings(env),
    masterKeys: masterKeysOf(environment),
    firstAdmin: email && password ? { email, password } : undefined,
  };
}
