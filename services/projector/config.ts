import { Type } from "typebox";
import { ConfigInvalid, loadConfig } from "#kit/config/load-config.ts";
import type { MasterKeySource } from "#kit/keys/master-ring.ts";
import { parseMasterKey } from "#kit/keys/wrapping.ts";

/** What the projector needs to know; `main.ts` and the launcher fill it in. */
export interface ProjectorConfig {
  /** Read models, checkpoints and outbox. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** A `postgres://` one must be the database of the read models: both are written at once. */
  readonly searchUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
}

/** A process of its own listens somewhere, for health checks and figures. */
export interface ProjectorProcessConfig extends ProjectorConfig {
  readonly version: string;
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
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3003 }),
  LOG_LEVEL: Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
  }),
  npm_package_version: Type.String({ default: "0.0.0" }),
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readProjectorConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProjectorProcessConfig {
  const env = loadConfig(Environment, environment);
  return {
    version: env.npm_package_version,
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    searchUrl: env.SEARCH_URL ?? env.DATABASE_URL,
    masterKeys: readMasterKeys(env.MASTER_KEY),
    host: env.HOST,
    port: env.PORT,
    logLevel: env.LOG_LEVEL,
  };
}

function readMasterKeys(text: string): Buffer[] {
  try {
    return text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseMasterKey);
  } catch (error) {
    throw new ConfigInvalid([`MASTER_KEY is not valid: ${(error as Error).message}`]);
  }
}
