import type { Pool } from "pg";
import { applyMigrations } from "#runtime/db/migrate.ts";
import {
  accountMigrations,
  accountStreamMigrations,
  sessionMigrations,
  twoFactorMigrations,
} from "./account.ts";
import { savedFilterMigrations, uploadMigrations } from "./files.ts";
import { inquiryMigrations } from "./inquiry.ts";
import { commandIdMigrations, jobMigrations, strikeMigrations } from "./job.ts";
import {
  addressMigrations,
  deletionMigrations,
  queueLeaseMigrations,
  reportExpiryMigrations,
  submissionLookMigrations,
  viewMigrations,
} from "./report.ts";

const commandMigrations = [
  ...accountMigrations,
  ...sessionMigrations,
  ...twoFactorMigrations,
  ...addressMigrations,
  ...commandIdMigrations,
  ...inquiryMigrations,
  ...uploadMigrations,
  ...reportExpiryMigrations,
  ...accountStreamMigrations,
  ...submissionLookMigrations,
  ...jobMigrations,
  ...queueLeaseMigrations,
  ...savedFilterMigrations,
  ...strikeMigrations,
  ...deletionMigrations,
].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The schemas of the command side, and the steps that create their tables. */
export const commandSchemas = [
  { name: "command", migrations: commandMigrations },
  { name: "views", migrations: viewMigrations },
] as const;

/** Creates or migrates the schemas `command` and `views`; see {@link applyMigrations}. */
export async function installCommandTables(pool: Pool): Promise<void> {
  for (const { name, migrations } of commandSchemas) await applyMigrations(pool, name, migrations);
}
