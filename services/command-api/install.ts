import type { Pool } from "pg";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { accountMigrations } from "./account/account.store.ts";
import { credentialChangeMigrations } from "./account/credential-change.store.ts";
import { deviceMigrations } from "./account/device.store.ts";
import { passwordGuessMigrations } from "./account/password-guesses.ts";
import { sessionMigrations } from "./account/session.store.ts";
import { addressMigrations } from "./address/address-store.ts";
import { commandIdMigrations } from "./kernel/command-ids.store.ts";
import { viewMigrations } from "./views/view-counter.ts";

const commandMigrations = [
  ...accountMigrations,
  ...sessionMigrations,
  ...credentialChangeMigrations,
  ...deviceMigrations,
  ...passwordGuessMigrations,
  ...addressMigrations,
  ...commandIdMigrations,
].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Makes or migrates the schemas `command` and `views`; see {@link applyMigrations}. */
export async function installCommandTables(pool: Pool): Promise<void> {
  await applyMigrations(pool, "command", commandMigrations);
  await applyMigrations(pool, "views", viewMigrations);
}
