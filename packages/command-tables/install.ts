import type { Pool } from "pg";
import { applyMigrations, type Migration } from "#runtime/db/migrate.ts";
import {
  accountMigrations,
  accountStreamMigrations,
  sessionMigrations,
  twoFactorMigrations,
} from "./account.ts";
import { savedFilterMigrations, uploadMigrations } from "./files.ts";
import { commandIdMigrations, jobMigrations, strikeMigrations } from "./job.ts";
import {
  addressMigrations,
  deletionMigrations,
  queueLeaseMigrations,
  reportExpiryMigrations,
  submissionLookMigrations,
  viewMigrations,
} from "./report.ts";

export const inquiryMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-inquiry",
    sql: `
      -- Inquiries and notices whose keys exist, so that they are erased when their time is over.
      -- The row is there before the stream.
      create table inquiry (
        id uuid primary key,
        family text not null check (family in ('inquiry', 'notice')),
        received_at timestamptz not null
      );
      create index inquiry_received_at on inquiry (received_at, id);
    `,
  },
];

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
