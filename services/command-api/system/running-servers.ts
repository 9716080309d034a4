import { modeOf } from "#operations/part-check.ts";
import type { RunningServer } from "#operations/running-server.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { withClient } from "#runtime/db/pool.ts";
import type { CommandApiConfig } from "../config.ts";

type Stores = Pick<
  CommandApiConfig,
  "databaseUrl" | "keysUrl" | "eventStoreUrl" | "rateLimitUrl" | "embeddedPostgres"
>;

// Their clients are hundreds of modules, which a process loads only if such a server is used.
const redis = () => import("#runtime/redis/open-redis.ts");
const eventStoreDB = () => import("#event-store/eventstoredb/cluster-client.ts");

/** Returns the servers that command-api connects to, each once, whatever it is used for. */
export function runningServers(config: Stores): RunningServer[] {
  const { databaseUrl, keysUrl, eventStoreUrl, rateLimitUrl } = config;
  const named: readonly (readonly [string, string | undefined])[] = [
    ["database", databaseUrl],
    ["keys", keysUrl],
    ["event_log", eventStoreUrl],
    ["redis", rateLimitUrl],
  ];
  const seen = new Set<string>();
  return named.flatMap(([target, url]) => {
    if (!url) return [];
    const server = `${schemeOf(url)} ${hostOf(url)}`;
    if (seen.has(server)) return [];
    seen.add(server);
    return [serverOf(target, url, config)];
  });
}

function serverOf(
  target: string,
  url: string,
  { embeddedPostgres }: Pick<Stores, "embeddedPostgres">,
): RunningServer {
  const isEmbedded = modeOf(url, embeddedPostgres) === "embedded";
  const scheme = schemeOf(url) ?? "";
  if (scheme === "postgres")
    return { target, program: "postgresql", isEmbedded, version: () => postgresVersion(url) };
  if (scheme.startsWith("redis"))
    return {
      target,
      program: "redis",
      isEmbedded,
      version: async () => (await redis()).redisVersion(url),
    };
  return {
    target,
    program: "eventstoredb",
    isEmbedded,
    version: async () => (await eventStoreDB()).eventStoreDBVersion(url),
  };
}

/** Hosts and ports of a URL, which may name several. */
function hostOf(url: string): string {
  return /^[^:]+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url)?.[1]?.toLowerCase() ?? "";
}

async function postgresVersion(url: string): Promise<string> {
  return withClient({ url, name: "check-updates" }, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    return rows[0]?.version ?? "";
  });
}
