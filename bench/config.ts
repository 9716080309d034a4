import { type NamesOf, readVariables, withoutVariables } from "#runtime/config/read-variables.ts";

/** A choice of stores. Stores not in `servers` are in the run's own PostgreSQL. */
export interface Profile {
  readonly name: "embedded" | "servers";
  readonly servers: Readonly<Partial<Record<NamesOf<"bench">, string | undefined>>>;
}

/** Returns the embedded default, and the servers named in the environment. */
export function readProfiles(): Profile[] {
  const servers = readVariables("bench", process.env);
  const embedded: Profile = { name: "embedded", servers: {} };
  return Object.keys(servers).length === 0 ? [embedded] : [embedded, { name: "servers", servers }];
}

/** Settings of this process that would affect the measured registry, besides its own variables. */
const SETTINGS = /^(NODE_OPTIONS|NODE_ENV|VITEST.*|.*_URL|npm_.*)$/;

/** Returns the environment for a process of the run: this process's without such settings, plus the given ones. */
export function processEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...withoutVariables(process.env, SETTINGS), ...settings };
}
