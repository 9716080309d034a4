import { pathToFileURL } from "node:url";
import type { CommandApiConfig } from "#services/command-api/config.ts";
import type { MailerConfig } from "#services/mailer/config.ts";
import type { ProjectorConfig } from "#services/projector/config.ts";
import type { QueryApiConfig } from "#services/query-api/config.ts";
import type { Instance } from "./instance.ts";

function connectionsOf({ config: { connections } }: Instance): { connections?: number } {
  return connections === undefined ? {} : { connections };
}

/** What each service is told of the instance that it runs in. */
export function commandApiConfig(instance: Instance): CommandApiConfig {
  const { config, stores, masterKeys, version } = instance;
  return {
    version,
    masterKeys,
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    ...connectionsOf(instance),
    limits: config.limits,
    ...(config.rateLimitUrl ? { rateLimitUrl: config.rateLimitUrl } : {}),
    trustProxyHops: config.trustProxyHops,
    processMetrics: false,
  };
}

export function queryApiConfig(instance: Instance): QueryApiConfig {
  return { ...commandApiConfig(instance), searchUrl: instance.stores.SEARCH_URL };
}

export function projectorConfig(instance: Instance): ProjectorConfig {
  const { stores, masterKeys } = instance;
  return {
    masterKeys,
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    ...connectionsOf(instance),
    searchUrl: stores.SEARCH_URL,
  };
}

export function mailerConfig(instance: Instance): MailerConfig {
  const { config, stores, masterKeys, paths, publicUrl } = instance;
  return {
    masterKeys,
    publicUrl,
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    ...connectionsOf(instance),
    jobsUrl: stores.JOBS_URL,
    smtpUrl: config.smtpUrl ?? pathToFileURL(paths.mail).href,
    productName: config.productName,
    supportEmail: config.supportEmail,
  };
}
