import type { Pool } from "pg";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { accountTables } from "./account.ts";
import { fileTables } from "./files.ts";
import { jobTables } from "./job.ts";
import { reportTables, viewMigrations } from "./report.ts";

const commandMigrations = [
  { id: "2026-11-30-command", sql: accountTables + reportTables + fileTables + jobTables },
];

/** Schemas of the command side, with the migrations that create their tables. */
export const commandSchemas = [
  { name: "command", migrations: commandMigrations },
  { name: "views", migrations: viewMigrations },
] as const;

/** Creates or migrates the schemas `command` and `views`; see {@link applyMigrations}. */
export async function installCommandTables(pool: Pool): Promise<void> {
  for (const { name, migrations } of commandSchemas) await applyMigrations(pool, name, migrations);
}
