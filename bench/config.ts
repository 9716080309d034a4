import { embeddedStores } from "#launcher/config.ts";
import { type NamesOf, readVariables, withoutVariables } from "#runtime/config/read-variables.ts";

/** Servers on which a run is measured besides the embedded default, if they are given. */
export type ServerName = NamesOf<"bench">;

/** A choice of stores. Stores missing from `servers` are in the run's own PostgreSQL. */
export interface Profile {
  readonly name: "embedded" | "servers";
  readonly servers: Readonly<Partial<Record<ServerName, string | undefined>>>;
}

/** The embedded default, and the servers that the environment names. */
export function readProfiles(environment = process.env): Profile[] {
  const servers = readVariables("bench", environment);
  const embedded: Profile = { name: "embedded", servers: {} };
  return Object.keys(servers).length === 0 ? [embedded] : [embedded, { name: "servers", servers }];
}

/** Settings of this process that would affect the measured registry, besides its own variables. */
const SETTINGS = /^(NODE_OPTIONS|NODE_ENV|VITEST.*|.*_URL|npm_.*)$/;

/**
 * Environment for a process of the run: this process's without such settings, plus the given ones.
 */
export function processEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env, SETTINGS), ...settings };
}

export function storeUrls(
  { servers }: Profile,
  postgresUrl: string,
): Record<(typeof embeddedStores)[number], string> & { RATE_LIMIT_URL?: string } {
  const own = Object.fromEntries(embeddedStores.map((name) => [name, postgresUrl]));
  return { ...own, ...servers } as ReturnType<typeof storeUrls>;
}
