import { pathToFileURL } from "node:url";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { SERVICE_ROLES, type ServiceName, urlAs } from "#runtime/db/service-roles.ts";
import { type CommandApiConfig, commandApiSettings } from "#services/command-api/config.ts";
import { type MailerConfig, mailerSettings } from "#services/mailer/config.ts";
import { type ProjectorConfig, projectorSettings } from "#services/projector/config.ts";
import { type QueryApiConfig, queryApiSettings } from "#services/query-api/config.ts";
import { embeddedStores } from "./config.ts";
import { type Instance, needsEmbeddedPostgres, type Stores } from "./instance.ts";
import type { RolePasswords } from "./migrate/roles.ts";

/** The stores as a service connects to them: under its own role if the roles have passwords. */
export function storesAs(
  service: ServiceName,
  stores: Stores,
  passwords: RolePasswords | undefined,
): Stores {
  if (!passwords) return stores;
  const password = passwords[service];
  const own = Object.entries(stores).map(([name, url]) => [
    name,
    schemeOf(url) === "postgres" ? urlAs(url, SERVICE_ROLES[service], password) : url,
  ]);
  return Object.fromEntries(own) as Stores;
}

/** A service's variables: the launcher's, and those set by the instance. */
function variablesFor(instance: Instance, service: ServiceName) {
  const { variables } = instance.config;
  return {
    ...variables,
    ...storesAs(service, instance.stores, instance.servicePasswords),
    DATABASE_CONNECTIONS: variables.DATABASE_CONNECTIONS ?? CONNECTIONS[service].most,
    PUBLIC_URL: instance.publicUrl,
    STAFF_SECOND_FACTOR:
      variables.STAFF_SECOND_FACTOR ?? (needsEmbeddedPostgres(instance.config) ? "off" : "on"),
    FILES_URL: variables.FILES_URL ?? pathToFileURL(instance.paths.files).href,
    ERASURES_URL: erasuresUrlOf(instance),
    SMTP_URL: variables.SMTP_URL ?? pathToFileURL(instance.paths.mail).href,
  };
}

/** URL of the erasure ledger; undefined if none is kept. */
export function erasuresUrlOf({ config, paths, hasDataFolder }: Instance): string | undefined {
  const ownFile = hasDataFolder ? pathToFileURL(paths.erasures).href : undefined;
  return config.variables.ERASURES_URL ?? ownFile;
}

/** `host:port` of the launcher's PostgreSQL, if there is one. */
function embeddedPostgres({ config, stores, storesAreEmbedded }: Instance): string | undefined {
  // The search is in the main database, so SEARCH_URL does not show whether it is embedded.
  const left = embeddedStores.find((name) => name !== "SEARCH_URL" && !config.variables[name]);
  const name = storesAreEmbedded ? "DATABASE_URL" : left;
  const url = name && stores[name];
  return url ? new URL(url).host : undefined;
}

function common(instance: Instance) {
  return { masterKeys: instance.masterKeys, embeddedPostgres: embeddedPostgres(instance) };
}

export function commandApiConfig(instance: Instance): CommandApiConfig {
  const { version } = instance;
  const settings = commandApiSettings(variablesFor(instance, "command-api"));
  return { ...settings, ...common(instance), version, processMetrics: false };
}

export function queryApiConfig(instance: Instance): QueryApiConfig {
  const { version } = instance;
  const settings = queryApiSettings(variablesFor(instance, "query-api"));
  return { ...settings, ...common(instance), version, processMetrics: false };
}

export function projectorConfig(instance: Instance): ProjectorConfig {
  const settings = projectorSettings(variablesFor(instance, "projector"));
  return { ...settings, ...common(instance) };
}

export function mailerConfig(instance: Instance): MailerConfig {
  const { publicUrl } = instance;
  return { ...mailerSettings(variablesFor(instance, "mailer")), ...common(instance), publicUrl };
}
