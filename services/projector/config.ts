import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { readVariables, type ServiceVariables } from "#runtime/config/read-variables.ts";
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
  /** Connections to each PostgreSQL server at most; `CONNECTIONS` when absent. */
  readonly connections?: number;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
}

/** A process of its own listens somewhere, for health checks and figures. */
export type ProjectorProcessConfig = ProjectorConfig & ProcessSettings;

/** What the variables say of the service, in a process of its own or among others in one. */
export function projectorSettings(env: ServiceVariables<"projector">) {
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL,
    keysUrl: env.KEYS_URL,
    connections: env.DATABASE_CONNECTIONS,
    searchUrl: env.SEARCH_URL,
  } satisfies Partial<ProjectorConfig>;
}

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readProjectorConfig(
  environment: Environment = process.env,
): ProjectorProcessConfig {
  const env = readVariables("projector", environment);
  return {
    ...processSettings(env, environment),
    ...projectorSettings(env),
    masterKeys: masterKeysOf(environment),
  };
}
