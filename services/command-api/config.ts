import { ConfigInvalid, type Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import {
  checkRateLimit,
  originOf,
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
import type { PasswordCost } from "./account/passwords.ts";
import { type CardSettings, isLiveKey } from "./checkout/card-processor.ts";
import type { BackupMeans } from "./system/backups.ts";

/** Settings of the command side. `main.ts` and the launcher fill them in. */
export interface CommandApiConfig extends StoreSettings, PublicSettings {
  /** The current master key first, then the previous one during key rotation. */
  readonly masterKeys: MasterKeySource;
  readonly originToken?: string;
  /** `tcp://` URL of a ClamAV daemon that scans uploads. */
  readonly clamavUrl?: string | undefined;
  /** Public origin of the site, which the security scan checks. Undefined if not configured. */
  readonly publicUrl?: string | undefined;
  /** Whether the package registry may be queried for known vulnerabilities. */
  readonly updateCheck?: "on" | "off" | undefined;
  /** Absent if backups are made only by the operator's command. */
  readonly backups?: BackupMeans | undefined;
  readonly cards?: CardSettings | undefined;
  /** Cost of hashing a password. Defaults to what OWASP recommends. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Called with the address of each account that signs in, before the answer is sent. */
  readonly onSignIn?: (email: string) => Promise<void>;
}

/** Settings of a separate process, which listens on a port and may create the first admin. */
export interface CommandApiProcessConfig extends CommandApiConfig, ProcessSettings {
  readonly firstAdmin?: { readonly email: string; readonly password: string } | undefined;
}

/** Reads the service's settings from the variables, for its own process or a shared one. */
export function commandApiSettings(env: ServiceVariables<"command-api">) {
  return {
    ...storeSettings(env),
    ...publicSettings(env),
    publicUrl: env.PUBLIC_URL && originOf(env.PUBLIC_URL),
    clamavUrl: env.CLAMAV_URL,
    cards: cardSettingsOf(env),
    erasuresUrl: env.ERASURES_URL,
    updateCheck: env.UPDATE_CHECK,
  } satisfies Partial<CommandApiConfig>;
}

/** Reads the environment; stores default to the database. @throws {ConfigInvalid} */
export function readCommandApiConfig(
  environment: Environment = process.env,
): CommandApiProcessConfig {
  const env = readVariables("command-api", environment);
  checkRateLimit(env);
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (!email !== !password)
    throw new ConfigInvalid([
      `${email ? "ADMIN_PASSWORD" : "ADMIN_EMAIL"} is missing: the first admin needs an email address and a password`,
    ]);
  return {
    ...processSettings(env, environment),
    ...commandApiSettings(env),
    masterKeys: masterKeysOf(environment),
    backups: { time: env.BACKUP_TIME },
    firstAdmin: email && password ? { email, password } : undefined,
  };
}

type CardNames = `STRIPE_${"SECRET_KEY" | "WEBHOOK_SECRET" | "API_URL"}` | "PUBLIC_URL";

/**
 * Access to Stripe; undefined without cards.
 * @throws {ConfigInvalid} if only partly configured, because payments would go unnoticed.
 */
function cardSettingsOf(
  env: Pick<ServiceVariables<"command-api">, CardNames>,
): CardSettings | undefined {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
    PUBLIC_URL: url,
  } = env;
  if (!secretKey && !webhookSecret) return undefined;
  const problems = [
    ...(secretKey && webhookSecret
      ? []
      : ["Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither"]),
    ...(url ? [] : ["PUBLIC_URL is missing: Stripe sends payers back to it"]),
    ...(apiUrl && secretKey && isLiveKey(secretKey)
      ? ["STRIPE_API_URL must not be set with a live key, which only Stripe may receive"]
      : []),
  ];
  if (!secretKey || !webhookSecret || !url || problems.length > 0)
    throw new ConfigInvalid(problems);
  return {
    secretKey,
    webhookSecret,
    publicUrl: originOf(url),
    ...(apiUrl ? { apiUrl: originOf(apiUrl) } : {}),
  };
}
