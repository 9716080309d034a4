import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { readVariables, type ServiceVariables } from "#runtime/config/read-variables.ts";
import { type StoreSettings, storeSettings } from "#runtime/config/shared-settings.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";

/** What the projector needs to know; `main.ts` and the launcher fill it in. */
export interface ProjectorConfig extends StoreSettings {
  /** A `postgres://` one must be the database of the read models: both are written at once. */
  readonly searchUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
}

/** A separate process listens on a port, for health checks and metrics. */
export type ProjectorProcessConfig = ProjectorConfig & ProcessSettings;

/** The service's settings in the variables, in a separate process or in a shared one. */
export function projectorSettings(env: ServiceVariables<"projector">) {
  return {
    ...storeSettings(env),
    searchUrl: env.SEARCH_URL,
  } satisfies Partial<ProjectorConfig>;
}

/**
 * Reads the environment of a separate process. Stores that are not named are the database's.
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
