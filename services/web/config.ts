import path from "node:path";
import { Type } from "typebox";
import { type Environment, loadConfig } from "#runtime/config/load-config.ts";
import {
  type ProcessSettings,
  processSettings,
  processVariables,
} from "#runtime/config/process-settings.ts";
import { originOf, originsOf, variables } from "#runtime/config/variables.ts";

/** What the process needs to know that serves the two web apps. */
export interface WebConfig extends ProcessSettings {
  /** Origins of query-api, tried in turn. */
  readonly queryUrls: readonly string[];
  /** Origin under which visitors see the site. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
  /** What `npm run build` wrote. */
  readonly siteDir: string;
  readonly consoleDir: string;
}

export const webVariables = Type.Object({
  ...processVariables(3005),
  QUERY_API_URL: variables.QUERY_API_URL,
  PUBLIC_URL: variables.PUBLIC_URL,
  PRODUCT_NAME: variables.PRODUCT_NAME,
  SUPPORT_EMAIL: variables.SUPPORT_EMAIL,
  TRUST_PROXY: variables.TRUST_PROXY,
});

const root = path.resolve(import.meta.dirname, "../..");

/** @throws {ConfigInvalid} */
export function readWebConfig(environment: Environment = process.env): WebConfig {
  const env = loadConfig(webVariables, environment);
  return {
    ...processSettings(env, environment),
    queryUrls: originsOf(env.QUERY_API_URL),
    publicUrl: originOf(env.PUBLIC_URL),
    productName: env.PRODUCT_NAME,
    supportEmail: env.SUPPORT_EMAIL,
    trustProxyHops: env.TRUST_PROXY,
    siteDir: path.join(root, "web-public/dist"),
    consoleDir: path.join(root, "web-admin/dist"),
  };
}
