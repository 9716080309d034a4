import {
  SERVICE_NAMES,
  SERVICE_ROLES,
  type ServiceName,
  urlAs,
} from "#runtime/db/service-roles.ts";
import { migrate } from "../migrate.ts";

/** Roles belong to the whole server, so all databases must agree on their passwords. */
export const PASSWORDS: Readonly<Record<ServiceName, string>> = {
  "command-api": "password-of-command-api",
  "query-api": "password-of-query-api",
  projector: "password-of-projector",
  mailer: "password-of-mailer",
  backup: "password-of-backup",
};

/** The settings that put every store into one database. */
export const allIn = (url: string) => ({
  DATABASE_URL: url,
  EVENT_STORE_URL: url,
  KEYS_URL: url,
  SEARCH_URL: url,
  JOBS_URL: url,
});

/** Creates the stores of a registry in an empty database, with the services' roles. */
export async function migrateWithRoles(url: string, masterKey: Buffer): Promise<void> {
  await migrate({ stores: allIn(url), masterKeys: [masterKey], passwords: PASSWORDS });
}

/** Returns the database's URL for the role of each service. */
export function urlsOf(url: string): Record<ServiceName, string> {
  const entries = SERVICE_NAMES.map((name) => [
    name,
    urlAs(url, SERVICE_ROLES[name], PASSWORDS[name]),
  ]);
  return Object.fromEntries(entries);
}
