import { readVariables, withoutVariables } from "#runtime/config/read-variables.ts";

/** The tests' own settings must not affect what they start. */
const settings = /^(NODE_ENV|VITEST.*|.*_URL|npm_.*)$/;

/** The environment of this process, without anything that would configure a registry. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return withoutVariables(process.env, settings);
}

/** Settings of services that tests run in their own process. */
export const IN_PROCESS = {
  version: "test",
  limits: "off",
  trustProxyHops: 0,
  processMetrics: false,
  staffSecondFactor: "off",
  productName: "The Registry",
  supportEmail: "support@registry.example",
} as const;

/** The browser named by CHROMIUM_PATH, if any. */
export function chromiumPath(): string | undefined {
  return readVariables("tests", process.env).CHROMIUM_PATH;
}
