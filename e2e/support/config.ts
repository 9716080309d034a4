import { readVariables, withoutVariables } from "#runtime/config/read-variables.ts";

/** The tests' own settings must not affect what they start. */
const settings = /^(NODE_ENV|VITEST.*|.*_URL|npm_.*)$/;

/** The environment of this process, without anything that would configure a registry. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return withoutVariables(process.env, settings);
}

/** The browser named by CHROMIUM_PATH, if any. */
export function chromiumPath(): string | undefined {
  return readVariables("tests", process.env).CHROMIUM_PATH;
}
