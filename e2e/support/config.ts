/** The tests' own settings must not reach into what they start. */
const settings =
  /^(NODE_ENV|VITEST.*|HOST|OPERATIONS_PORT|.*_URL|MASTER_KEY|ADMIN_.*|RATE_LIMIT|LOG_LEVEL|npm_.*)$/;

/** The environment of this process without anything that would configure a registry. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}

/** The browser that CHROMIUM_PATH names, if any. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH;
}
