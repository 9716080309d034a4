import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { originOf, readVariables, type ServiceVariables } from "#runtime/config/read-variables.ts";
import { type StoreSettings, storeSettings } from "#runtime/config/shared-settings.ts";
import { type MasterKeySource, masterKeysOf } from "#vault/keys/master-ring.ts";
import type { SmtpLimits } from "./transports/smtp.transport.ts";

/** Settings of the mailer. `main.ts` and the launcher fill them in. */
export interface MailerConfig extends StoreSettings {
  readonly masterKeys: MasterKeySource;
  /** `postgres://` for tables in the schema `jobs`, or `redis://` or `rediss://`. */
  readonly jobsUrl: string;
  /** `file:` URL of a folder, or `smtp(s)://`. */
  readonly smtpUrl: string;
  /** Web address of the site, the base of links in emails. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
  /** Where inquiries about plans go; `supportEmail` when absent. */
  readonly salesEmail?: string | undefined;
  /** Emails in progress at once, and connections to an SMTP server; `MAILS_AT_ONCE` when absent. */
  readonly mailsAtOnce?: number;
  /** Milliseconds until a job that the queue lost is added again; 15,000 when absent. */
  readonly sweepMs?: number;
  /** Milliseconds without progress on due emails until readiness fails; 60,000 when absent. */
  readonly stallMs?: number;
  readonly smtpLimits?: SmtpLimits;
}

/** Settings of a separate process, which listens on a port for health checks and metrics. */
export type MailerProcessConfig = MailerConfig & ProcessSettings;

/** Picks the service's settings from the variables, for its own process or a shared one. */
export function mailerSettings(env: ServiceVariables<"mailer">) {
  return {
    ...storeSettings(env),
    jobsUrl: env.JOBS_URL,
    smtpUrl: env.SMTP_URL,
    productName: env.PRODUCT_NAME,
    supportEmail: env.SUPPORT_EMAIL,
    salesEmail: env.SALES_EMAIL,
    mailsAtOnce: env.MAILS_AT_ONCE,
  } satisfies Partial<MailerConfig>;
}

/** Reads the environment; stores default to the database. @throws {ConfigInvalid} */
export function readMailerConfig(environment: Environment = process.env): MailerProcessConfig {
  const env = readVariables("mailer", environment);
  return {
    ...processSettings(env, environment),
    ...mailerSettings(env),
    masterKeys: masterKeysOf(environment),
    publicUrl: originOf(env.PUBLIC_URL),
  };
}
