import { withoutVariables } from "#runtime/config/read-variables.ts";

/** Environment for child programs: no locale, no PostgreSQL client settings. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env, /^(PG|LC_|LANG|LD_)/), LC_ALL: "C", TZ: "UTC" };
}
