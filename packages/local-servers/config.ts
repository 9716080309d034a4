/** Secrets, and addresses that may hold some: nobody's business who is started beside Node. */
const SECRET = /^(MASTER_KEY|\w+_PASSWORD|\w+_URL)(_FILE)?$/;

function environmentWithout(...unwanted: readonly RegExp[]): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !unwanted.some((pattern) => pattern.test(name)),
  );
  return Object.fromEntries(kept);
}

/** Environment of a program that needs no secret. */
export function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  return environmentWithout(SECRET);
}

/** Environment of programs that are started beside Node: no locale, no settings of a PostgreSQL client. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return { ...environmentWithout(SECRET, /^(PG|LC_|LANG|LD_)/), LC_ALL: "C", TZ: "UTC" };
}
