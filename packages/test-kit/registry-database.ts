import { installCommandTables } from "#command-tables/install.ts";
import { installEventStore } from "#event-store/postgres/postgres-event-store.ts";
import { installOperations } from "#operations/process-table.ts";
import { installReadModel } from "#read-model/install.ts";
import { openPool } from "#runtime/db/pool.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { installKeyStore } from "#vault/keys/postgres-key-store.ts";
import { freshDatabase, type TestDatabase } from "./database.ts";

/** One per worker, because creating all tables takes longer than copying them. */
let template: Promise<TestDatabase> | undefined;

/** Like `freshDatabase`, but with the empty tables of all services. */
export async function registryDatabase(): Promise<TestDatabase> {
  template ??= withTables();
  return freshDatabase(await template);
}

async function withTables(): Promise<TestDatabase> {
  const database = await freshDatabase();
  await installEventStore(database.url);
  const pool = openPool({ url: database.url, name: "template", max: 1 });
  await installKeyStore(pool);
  await installCommandTables(pool);
  await installReadModel(pool);
  await installOperations(pool);
  await new PostgresSearchIndex(pool).install();
  await pool.end();
  return database;
}
