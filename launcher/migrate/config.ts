import { ConfigInvalid, type Environment } from "#runtime/config/load-config.ts";
import { readVariables } from "#runtime/config/read-variables.ts";
import { SERVICE_NAMES, type ServiceName } from "#runtime/db/service-roles.ts";
import { masterKeysOf } from "#vault/keys/master-ring.ts";
import type { MigrateOptions } from "./migrate.ts";
import type { RolePasswords } from "./roles.ts";

/** Reads the owner's URLs for `npm run migrate`. Unset stores are in the database. @throws {ConfigInvalid} */
export function readMigrateConfig(environment: Environment = process.env): MigrateOptions {
  const env = readVariables("migrate", environment);
  const passwords = {
    "command-api": env.COMMAND_API_PASSWORD,
    "query-api": env.QUERY_API_PASSWORD,
    projector: env.PROJECTOR_PASSWORD,
    mailer: env.MAILER_PASSWORD,
    backup: env.BACKUP_PASSWORD,
  };
  const missing = SERVICE_NAMES.filter((service) => !passwords[service]);
  if (missing.length > 0 && missing.length < SERVICE_NAMES.length)
    throw new ConfigInvalid(
      missing.map(
        (service) =>
          `${passwordVariable(service)} is missing: either every service has its own role, or none has`,
      ),
    );
  return {
    stores: {
      DATABASE_URL: env.DATABASE_URL,
      EVENT_STORE_URL: env.EVENT_STORE_URL,
      KEYS_URL: env.KEYS_URL,
      SEARCH_URL: env.SEARCH_URL,
      JOBS_URL: env.JOBS_URL,
    },
    masterKeys: masterKeysOf(environment),
    passwords: missing.length === 0 ? (passwords as RolePasswords) : undefined,
  };
}

function passwordVariable(service: ServiceName): string {
  return `${service.toUpperCase().replace("-", "_")}_PASSWORD`;
}
