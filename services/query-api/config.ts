import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  readVariables,
  type ServiceVariables,
} from "#runtime/config/read-variables.ts";
import {
  type PublicSettings,
  publicSettings,
  type StoreSettings,
  storeSettings,
} from "#runtime/config/shared-settings.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";

/** What the read side needs to know; `main.ts` and the launcher fill it in. */
export interface QueryApiConfig extends StoreSettings, PublicSettings {
  readonly version: string;
  readonly searchUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
  readonly processMetrics?: boolean;
}

/** A separate process also listens on a port. */
export type QueryApiProcessConfig = QueryApiConfig & ProcessSettings;

/** The service's settings in the variables, in a separate process or in a shared one. */
export function queryApiSettings(env: ServiceVariables<"query-api">) {
  return {
    ...storeSettings(env),
    searchUrl: env.SEARCH_URL,
    ...publicSettings(env),
  } satisfies Partial<QueryApiConfig>;
}

/**
 * Reads the environment of a separate process. Stores that are not named are the database's.
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
