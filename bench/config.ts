import { embeddedStores } from "#launcher/config.ts";

/** Servers that a run is measured on beside the embedded default, where they are given. */
const GIVEN = ["EVENT_STORE_URL", "SEARCH_URL", "JOBS_URL", "RATE_LIMIT_URL"] as const;

export type ServerName = (typeof GIVEN)[number];

/** A choice of stores. What `servers` does not name stands in a PostgreSQL of the run's own. */
export interface Profile {
  readonly name: "embedded" | "servers";
  readonly servers: Readonly<Partial<Record<ServerName, string>>>;
}

/** The embedded default, and the servers that the environment names. */
export function readProfiles(environment = process.env): Profile[] {
  const given = GIVEN.flatMap((name) => {
    const url = environment[name]?.trim();
    return url ? [[name, url]] : [];
  });
  const embedded: Profile = { name: "embedded", servers: {} };
  return given.length === 0
    ? [embedded]
    : [embedded, { name: "servers", servers: Object.fromEntries(given) }];
}

/** Settings of the environment that would reach into the registry that is measured. */
const SETTINGS =
  /^(NODE_OPTIONS|NODE_ENV|VITEST.*|HOST|PORT|DATA_DIR|.*_URL|MASTER_KEY.*|ADMIN_.*|RATE_LIMIT|TRUST_PROXY|LOG_LEVEL|SAMPLE_DATA|npm_.*)$/;

/** Environment of a process of the run: this one's without settings, and these. */
export function processEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  return { ...Object.fromEntries(kept), ...settings };
}

/** URL of each store of a profile. */
export function storeUrls(
  { servers }: Profile,
  postgresUrl: string,
): Record<(typeof embeddedStores)[number], string> & { RATE_LIMIT_URL?: string } {
  const own = Object.fromEntries(embeddedStores.map((name) => [name, postgresUrl]));
  return { ...own, ...servers } as ReturnType<typeof storeUrls>;
}
