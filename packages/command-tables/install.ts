import type { Pool } from "pg";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { accountMigrations } from "./account.ts";
import { accountStreamMigrations } from "./account-stream.ts";
import { addressMigrations } from "./address.ts";
import { commandIdMigrations } from "./command-id.ts";
import { deletionMigrations } from "./deletion.ts";
import { inquiryMigrations } from "./inquiry.ts";
import { jobMigrations } from "./job.ts";
import { queueLeaseMigrations } from "./queue-lease.ts";
import { reportExpiryMigrations } from "./report-expiry.ts";
import { savedFilterMigrations } from "./saved-filter.ts";
import { sessionMigrations } from "./session.ts";
import { strikeMigrations } from "./strike.ts";
import { submissionLookMigrations } from "./submission-look.ts";
import { twoFactorMigrations } from "./two-factor.ts";
import { uploadMigrations } from "./upload.ts";
import { viewMigrations } from "./views.ts";

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
