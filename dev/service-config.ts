import { pathToFileURL } from "node:url";
import type { CommandApiConfig } from "#services/command-api/config.ts";
import type { MailerConfig } from "#services/mailer/config.ts";
import type { Instance } from "./instance.ts";

/** Names that site, console and mails show. */
export function branding({ config }: Instance): { productName: string; supportEmail: string } {
  const { PRODUCT_NAME, SUPPORT_EMAIL } = config.environment;
  return {
    productName: PRODUCT_NAME?.trim() || "Chargeback Registry",
    supportEmail: SUPPORT_EMAIL?.trim() || "support@registry.example",
  };
}

/** Configuration of the command side in one process with the others. */
export function commandApiConfig(instance: Instance): CommandApiConfig {
  const { config, stores, masterKeys, version } = instance;
  return {
    version,
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    masterKeys,
    limits: config.environment.RATE_LIMIT?.trim() === "off" ? "off" : "on",
    trustProxyHops: Number(config.environment.TRUST_PROXY ?? 0),
    processMetrics: false,
  };
}

/** Configuration of the mailer in one process with the others. */
export function mailerConfig(instance: Instance): MailerConfig {
  const { config, stores, masterKeys, paths, publicUrl } = instance;
  return {
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    masterKeys,
    jobsUrl: stores.JOBS_URL,
    smtpUrl: config.environment.SMTP_URL?.trim() || pathToFileURL(paths.mail).href,
    publicUrl,
    ...branding(instance),
  };
}
