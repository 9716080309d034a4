import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { readVariables, type ServiceVariables } from "#runtime/config/read-variables.ts";
import { type StoreSettings, storeSettings } from "#runtime/config/shared-settings.ts";
import { type MasterKeySource, masterKeysOf } from "#vault/keys/master-ring.ts";

/** Settings of the projector. `main.ts` and the launcher fill them in. */
export interface ProjectorConfig extends StoreSettings {
  /** A `postgres://` URL must name the database of the read models, because both are written in one transaction. */
  readonly searchUrl: string;
  /** The current master key first, then the previous one during key rotation. */
  readonly masterKeys: MasterKeySource;
}

/** Settings of a separate process, which listens on a port for health checks and metrics. */
export type ProjectorProcessConfig = ProjectorConfig & ProcessSettings;

/** Picks the service's settings from the variables, for its own process or a shared one. */
export function projectorSettings(env: ServiceVariables<"projector">) {
  return {
    ...storeSettings(env),
    searchUrl: env.SEARCH_URL,
    erasuresUrl: env.ERASURES_URL,
  } satisfies Partial<ProjectorConfig>;
}

/** Reads the environment; stores default to the database. @throws {ConfigInvalid} */
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
