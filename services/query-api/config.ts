import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  processAddressesOf,
  readVariables,
  type ServiceVariables,
} from "#runtime/config/read-variables.ts";
import {
  type PublicSettings,
  publicSettings,
  type StoreSettings,
  storeSettings,
} from "#runtime/config/shared-settings.ts";
import { type MasterKeySource, masterKeysOf } from "#vault/keys/master-ring.ts";

/** Settings of the read side, filled in by `main.ts` and the launcher. */
export interface QueryApiConfig extends StoreSettings, PublicSettings {
  readonly searchUrl: string;
  /** The operator's values for settings that admins may leave empty. */
  readonly named?: {
    readonly backupTime: string;
    /** Days. */
    readonly backupKeep: number;
    /** By default the support address. */
    readonly salesEmail?: string | undefined;
  };
  /** The current master key first, then the previous one during a key rotation. */
  readonly masterKeys: MasterKeySource;
  /** URLs of the operators' ports of processes that don't report their own status, each with its authority. */
  readonly operationsUrls?: readonly string[] | undefined;
  /** Milliseconds of silence after which a change stream sends a comment: less than any proxy's timeout. */
  readonly heartbeatMs?: number;
}

/** Settings of a separate process, which also listens on a port. */
export type QueryApiProcessConfig = QueryApiConfig & ProcessSettings;

/** Reads the service's settings from the variables, for its own process or a shared one. */
export function queryApiSettings(env: ServiceVariables<"query-api">) {
  return {
    ...storeSettings(env),
    searchUrl: env.SEARCH_URL,
    named: {
      backupTime: env.BACKUP_TIME,
      backupKeep: env.BACKUP_KEEP,
      salesEmail: env.SALES_EMAIL,
    },
    ...publicSettings(env),
  } satisfies Partial<QueryApiConfig>;
}

/** Reads the environment; stores default to the database. @throws {ConfigInvalid} */
export function readQueryApiConfig(environment: Environment = process.env): QueryApiProcessConfig {
  const env = readVariables("query-api", environment);
  checkRateLimit(env);
  return {
    ...processSettings(env, environment),
    ...queryApiSettings(env),
    masterKeys: masterKeysOf(environment),
    operationsUrls: env.OPERATIONS_URLS ? processAddressesOf(env.OPERATIONS_URLS) : undefined,
  };
}
