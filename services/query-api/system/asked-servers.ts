import type { Pool } from "pg";
import { modeOf } from "#operations/part-check.ts";
import type { RunningServer } from "#operations/running-server.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import type { QueryApiConfig } from "../config.ts";
import type { AskedProcesses } from "./asked-processes.ts";

/** Servers that no other service asks for their versions: OpenSearch, HAProxy and the database of `npm start`. */
export function askedServers(
  { databaseUrl, searchUrl, embeddedPostgres, operationsUrls = [] }: QueryApiConfig,
  { pool, asked }: { readonly pool: Pick<Pool, "query">; readonly asked: AskedProcesses },
): RunningServer[] {
  const servers: RunningServer[] = [];
  if (modeOf(databaseUrl, embeddedPostgres) === "embedded")
    servers.push({
      target: "database",
      program: "postgresql",
      isEmbedded: true,
      async version() {
        const { rows } = await pool.query<{ version: string }>(
          "select current_setting('server_version') as version",
        );
        return rows[0]?.version ?? "";
      },
    });
  if (/^https?$/.test(schemeOf(searchUrl) ?? ""))
    servers.push({
      target: "search",
      program: "opensearch",
      isEmbedded: false,
      async version() {
        // Its client is hundreds of modules, which a process loads only where OpenSearch is used.
        const { openSearchVersion } = await import("#search/opensearch/server-version.ts");
        return openSearchVersion(searchUrl);
      },
    });
  if (operationsUrls.length > 0)
    servers.push({
      target: "haproxy",
      program: "haproxy",
      isEmbedded: false,
      version: () => asked.haproxyVersion(),
    });
  return servers;
}
