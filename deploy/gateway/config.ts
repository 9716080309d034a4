import { Type } from "typebox";
import { type Environment, loadConfig } from "#runtime/config/load-config.ts";
import {
  type ProcessSettings,
  processSettings,
  processVariables,
} from "#runtime/config/process-settings.ts";
import { originsOf, variables } from "#runtime/config/variables.ts";

/** What the gateway needs to know. */
export interface GatewayConfig extends ProcessSettings {
  /** Origins of each service's processes. */
  readonly commandApi: readonly string[];
  readonly queryApi: readonly string[];
  readonly web: readonly string[];
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
}

export const gatewayVariables = Type.Object({
  ...processVariables(3000),
  COMMAND_API_URL: variables.COMMAND_API_URL,
  QUERY_API_URL: variables.QUERY_API_URL,
  WEB_URL: variables.WEB_URL,
  TRUST_PROXY: variables.TRUST_PROXY,
});

/** @throws {ConfigInvalid} */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const env = loadConfig(gatewayVariables, environment);
  return {
    ...processSettings(env, environment),
    commandApi: originsOf(env.COMMAND_API_URL),
    queryApi: originsOf(env.QUERY_API_URL),
    web: originsOf(env.WEB_URL),
    trustProxyHops: env.TRUST_PROXY,
  };
}
