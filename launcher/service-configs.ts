import { pathToFileURL } from "node:url";
import { schemeOf } from "#runtime/config/urls.ts";
import { SERVICE_ROLES, type ServiceName, urlAs } from "#runtime/db/service-roles.ts";
import type { CommandApiConfig } from "#services/command-api/config.ts";
import type { MailerConfig } from "#services/mailer/config.ts";
import type { ProjectorConfig } from "#services/projector/config.ts";
import type { QueryApiConfig } from "#services/query-api/config.ts";
import type { Instance, Stores } from "./instance.ts";

function connectionsOf({ config: { connections } }: Instance): { connections?: number } {
  return connections === undefined ? {} : { connections };
}

/** The stores as a service reaches them: under its own role where it has one. */
function storesOf({ stores, servicePasswords }: Instance, service: ServiceName): Stores {
  if (!servicePasswords) return stores;
  const password = servicePasswords[service];
  const own = Object.entries(stores).map(([name, url]) => [
    name,
    schemeOf(url) === "postgres" ? urlAs(url, SERVICE_ROLES[service], password) : url,
  ]);
  return Object.fromEntries(own) as Stores;
}

/** What command-api and query-api are both told of the instance that they run in. */
function apiConfig(instance: Instance, service: "command-api" | "query-api"): CommandApiConfig {
  const { config, masterKeys, version } = instance;
  const stores = storesOf(instance, service);
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

/** What each service is told of the instance that it runs in. */
export function commandApiConfig(instance: Instance): CommandApiConfig {
  return apiConfig(instance, "command-api");
}

export function queryApiConfig(instance: Instance): QueryApiConfig {
  const { SEARCH_URL: searchUrl } = storesOf(instance, "query-api");
  return { ...apiConfig(instance, "query-api"), searchUrl };
}

export function projectorConfig(instance: Instance): ProjectorConfig {
  const { masterKeys } = instance;
  const stores = storesOf(instance, "projector");
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
  const { config, masterKeys, paths, publicUrl } = instance;
  const stores = storesOf(instance, "mailer");
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
