import path from "node:path";
import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { originOf, processAddressesOf, readVariables } from "#runtime/config/read-variables.ts";

/** Settings of the process that serves the two web apps. */
export interface WebConfig extends ProcessSettings {
  /** URLs of query-api's processes, used in turn, each with its authority. */
  readonly queryUrls: readonly string[];
  /** The same for command-api, to which forms without JavaScript are forwarded. */
  readonly commandUrls: readonly string[];
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** `off` is for load tests. */
  readonly limits?: "on" | "off";
  /** Folders that `npm run build` wrote. */
  readonly siteDir: string;
  readonly consoleDir: string;
}

const root = path.resolve(import.meta.dirname, "../..");

export const builtApps = {
  siteDir: path.join(root, "web-public/dist"),
  consoleDir: path.join(root, "web-admin/dist"),
};

/** @throws {ConfigInvalid} */
export function readWebConfig(environment: Environment = process.env): WebConfig {
  const env = readVariables("web", environment);
  return {
    ...processSettings(env, environment),
    queryUrls: processAddressesOf(env.QUERY_API_URL),
    commandUrls: processAddressesOf(env.COMMAND_API_URL),
    publicUrl: originOf(env.PUBLIC_URL),
    productName: env.PRODUCT_NAME,
    supportEmail: env.SUPPORT_EMAIL,
    trustProxyHops: env.TRUST_PROXY,
    limits: env.RATE_LIMIT,
    ...builtApps,
  };
}
