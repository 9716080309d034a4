import { Type } from "typebox";
import { type Environment, loadConfig } from "#runtime/config/load-config.ts";
import {
  type ProcessSettings,
  processSettings,
  processVariables,
} from "#runtime/config/process-settings.ts";
import { connectionsVariable, originOf, variables } from "#runtime/config/variables.ts";
import { masterKeysOf } from "#vault/keys/given-master-keys.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";
import type { SmtpLimits } from "./transports/smtp.transport.ts";

/** What the mailer needs to know; `main.ts` and the launcher fill it in. */
export interface MailerConfig {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly masterKeys: MasterKeySource;
  /** `postgres://`: the queue's tables, in the schema `jobs`; `redis://` or `rediss://`. */
  readonly jobsUrl: string;
  /** Connections to each PostgreSQL server at most; {@link CONNECTIONS} when absent. */
  readonly connections?: number;
  /** `file:` URL of a folder, or `smtp(s)://`. */
  readonly smtpUrl: string;
  /** Where the site stands: the base of links in mails. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
  /** Milliseconds until a job that the queue lost is put there again; 15,000 when absent. */
  readonly sweepMs?: number;
  /** Milliseconds that due mails stand still before readiness says so; 60,000 when absent. */
  readonly stallMs?: number;
  readonly smtpLimits?: SmtpLimits;
}

/** A process of its own listens somewhere, for health checks and figures. */
export type MailerProcessConfig = MailerConfig & ProcessSettings;

/** Connections to one server: what the service cannot do without, and its budget by default. */
export const CONNECTIONS = { least: 7, most: 8 } as const;

export const mailerVariables = Type.Object({
  ...processVariables(3004),
  DATABASE_URL: variables.DATABASE_URL,
  DATABASE_PASSWORD: Type.Optional(variables.DATABASE_PASSWORD),
  EVENT_STORE_URL: Type.Optional(variables.EVENT_STORE_URL),
  KEYS_URL: Type.Optional(variables.KEYS_URL),
  JOBS_URL: Type.Optional(variables.JOBS_URL),
  MASTER_KEY: variables.MASTER_KEY,
  DATABASE_CONNECTIONS: connectionsVariable(CONNECTIONS),
  SMTP_URL: variables.SMTP_URL,
  PUBLIC_URL: variables.PUBLIC_URL,
  PRODUCT_NAME: variables.PRODUCT_NAME,
  SUPPORT_EMAIL: variables.SUPPORT_EMAIL,
});

/**
 * Reads the environment of a process of its own. Stores that are not named are the database's.
 * @throws {ConfigInvalid}
 */
export function readMailerConfig(environment: Environment = process.env): MailerProcessConfig {
  const env = loadConfig(mailerVariables, environment);
  return {
    ...processSettings(env, environment),
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENT_STORE_URL ?? env.DATABASE_URL,
    keysUrl: env.KEYS_URL ?? env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    jobsUrl: env.JOBS_URL ?? env.DATABASE_URL,
    masterKeys: masterKeysOf(environment),
    smtpUrl: env.SMTP_URL,
    publicUrl: originOf(env.PUBLIC_URL),
    productName: env.PRODUCT_NAME,
    supportEmail: env.SUPPORT_EMAIL,
  };
}
