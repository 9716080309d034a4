import { withoutVariables } from "#runtime/config/read-variables.ts";

/** Environment of the programs started beside Node: no locale, no settings of a PostgreSQL client. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env, /^(PG|LC_|LANG|LD_)/), LC_ALL: "C", TZ: "UTC" };
}
