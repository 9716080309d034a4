import { Type } from "typebox";
import { ConfigInvalid, loadConfig } from "#kit/config/load-config.ts";
import type { MasterKeySource } from "#kit/keys/master-ring.ts";
import { parseMasterKey } from "#kit/keys/wrapping.ts";

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
export interface QueryApiProcessConfig extends QueryApiConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
}

const Environment = Type.Object({
  DATABASE_URL: Type.String(),
  EVENT_STORE_URL: Type.Optional(Type.String()),
  KEYS_URL: Type.Optional(Type.String()),
  SEARCH_URL: Type.Optional(Type.String()),
  MASTER_KEY: Type.String(),
  HOST: Type.String({ default: "127.0.0.1" }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3002 }),
  RATE_LIMIT_URL: Type.Optional(Type.String()),
  RATE_LIMIT: Type.Enum(["on", "off"], { default: "on" }),
  TRUST_PROXY: Type.Integer({ minimum: 0, maximum: 10, default: 0 }),
  CORS_ORIGINS: Type.Optional(Type.String()),
  LOG_LEVEL: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
  }),
  npm_package_version: Type.String({ default: "0.0.0" }),
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readQueryApiConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): QueryApiProcessConfig {
  const env = loadConfig(Environment, environment);
  if (env.RATE_LIMIT === "off" && !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(env.HOST))
    throw new ConfigInvalid(["RATE_LIMIT may be off on loopback only"]);
  return {
    version: env.npm_package_version,
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    searchUrl: env.SEARCH_URL ?? env.DATABASE_URL,
    masterKeys: readMasterKeys(env.MASTER_KEY),
    limits: env.RATE_LIMIT,
    trustProxyHops: env.TRUST_PROXY,
    host: env.HOST,
    port: env.PORT,
    logLevel: env.LOG_LEVEL,
    ...(env.RATE_LIMIT_URL ? { rateLimitUrl: env.RATE_LIMIT_URL } : {}),
    ...(env.CORS_ORIGINS ? { corsOrigins: words(env.CORS_ORIGINS) } : {}),
  };
}

function readMasterKeys(text: string): Buffer[] {
  try {
    return words(text).map(parseMasterKey);
  } catch (error) {
    throw new ConfigInvalid([`MASTER_KEY is not valid: ${(error as Error).message}`]);
  }
}

const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);
