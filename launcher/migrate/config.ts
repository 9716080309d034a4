import { Type } from "typebox";
import { ConfigInvalid, type Environment, loadConfig } from "#runtime/config/load-config.ts";
import { variables } from "#runtime/config/variables.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MigrateOptions } from "./migrate.ts";

const passwordVariables = {
  COMMAND_API_PASSWORD: Type.Optional(variables.COMMAND_API_PASSWORD),
  QUERY_API_PASSWORD: Type.Optional(variables.QUERY_API_PASSWORD),
  PROJECTOR_PASSWORD: Type.Optional(variables.PROJECTOR_PASSWORD),
  MAILER_PASSWORD: Type.Optional(variables.MAILER_PASSWORD),
};

export const migrateVariables = Type.Object({
  DATABASE_URL: variables.DATABASE_URL,
  DATABASE_PASSWORD: Type.Optional(variables.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(variables.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(variables.KEYS_URL),
  SEARCH_URL: Type.Optional(variables.SEARCH_URL),
  JOBS_URL: Type.Optional(variables.JOBS_URL),
  MASTER_KEY: variables.MASTER_KEY,
  ...passwordVariables,
});

/**
 * Reads the environment of `npm run migrate`: URLs as the owner reaches the stores. Stores that are
 * not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readMigrateConfig(environment: Environment = process.env): MigrateOptions {
  const env = loadConfig(migrateVariables, environment);
  const missing = Object.keys(passwordVariables).filter((name) => !(name in env));
  if (missing.length > 0 && missing.length < Object.keys(passwordVariables).length)
    throw new ConfigInvalid(
      missing.map((name) => `${name} is missing: every service has a role of its own, or none has`),
    );
  const { COMMAND_API_PASSWORD, QUERY_API_PASSWORD, PROJECTOR_PASSWORD, MAILER_PASSWORD } = env;
  return {
    stores: {
      DATABASE_URL: env.DATABASE_URL,
      EVENT_STORE_URL: env.EVENT_STORE_URL ?? env.DATABASE_URL,
      KEYS_URL: env.KEYS_URL ?? env.DATABASE_URL,
      SEARCH_URL: env.SEARCH_URL ?? env.DATABASE_URL,
      JOBS_URL: env.JOBS_URL ?? env.DATABASE_URL,
    },
    masterKeys: masterKeysOf(environment),
    ...(COMMAND_API_PASSWORD && QUERY_API_PASSWORD && PROJECTOR_PASSWORD && MAILER_PASSWORD
      ? {
          passwords: {
            "command-api": COMMAND_API_PASSWORD,
            "query-api": QUERY_API_PASSWORD,
            projector: PROJECTOR_PASSWORD,
            mailer: MAILER_PASSWORD,
          },
        }
      : {}),
  };
}
