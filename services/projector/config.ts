import { Type } from "typebox";
import { type Environment, loadConfig } from "#runtime/config/load-config.ts";
import {
  type ProcessSettings,
  processSettings,
  processVariables,
} from "#runtime/config/process-settings.ts";
import { connectionsVariable, variables } from "#runtime/config/variables.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";

/** What the projector needs to know; `main.ts` and the launcher fill it in. */
export interface ProjectorConfig {
  /** Read models, checkpoints and outbox. */
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** A `postgres://` one must be the database of the read models: both are written at once. */
  readonly searchUrl: string;
  /** Connections to each PostgreSQL server at most; {@link CONNECTIONS} when absent. */
  readonly connections?: number;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
}

/** A process of its own listens somewhere, for health checks and figures. */
export type ProjectorProcessConfig = ProjectorConfig & ProcessSettings;

/** Connections to one server: what the service cannot do without, and its budget by default. */
export const CONNECTIONS = { least: 9, most: 12 } as const;

export const projectorVariables = Type.Object({
  ...processVariables(3003),
  DATABASE_URL: variables.DATABASE_URL,
  DATABASE_PASSWORD: Type.Optional(variables.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(variables.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(variables.KEYS_URL),
  SEARCH_URL: Type.Optional(variables.SEARCH_URL),
  MASTER_KEY: variables.MASTER_KEY,
  DATABASE_CONNECTIONS: connectionsVariable(CONNECTIONS),
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readProjectorConfig(
  environment: Environment = process.env,
): ProjectorProcessConfig {
  const env = loadConfig(projectorVariables, environment);
  return {
    ...processSettings(env, environment),
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    searchUrl: env.SEARCH_URL ?? env.DATABASE_URL,
    masterKeys: masterKeysOf(environment),
  };
}
