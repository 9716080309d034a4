import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { originsOf, readVariables } from "#runtime/config/read-variables.ts";

/** The configuration of the gateway. */
export interface GatewayConfig extends ProcessSettings {
  /** Origins of each service's processes. */
  readonly commandApi: readonly string[];
  readonly queryApi: readonly string[];
  readonly web: readonly string[];
  /** Exact number of proxies in front. */
  readonly trustProxyHops: number;
}

/** @throws {ConfigInvalid} */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const env = readVariables("gateway", environment);
  return {
    ...processSettings(env, environment),
    commandApi: originsOf(env.COMMAND_API_URL),
    queryApi: originsOf(env.QUERY_API_URL),
    web: originsOf(env.WEB_URL),
    trustProxyHops: env.TRUST_PROXY,
  };
}
