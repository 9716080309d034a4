import { installCommandTables } from "#command-tables/install.ts";
import { installEventStore } from "#event-store/postgres/postgres-event-store.ts";
import { installOperations } from "#operations/process-table.ts";
import { installReadModel } from "#read-model/install.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { openPostgresMailJobs } from "#services/mailer/jobs/postgres-mail-jobs.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { type PermanentKey, type ReplaceableKey, SERVICE_KEYS } from "#vault/keys/service-keys.ts";
import type { Stores } from "../instance.ts";
import { grantRights } from "./grant.ts";
import { type MovedKeys, moveKeys } from "./move-keys.ts";
import { makeRoles, type RolePasswords } from "./roles.ts";

export interface MigrateOptions {
  /** URLs with the owner's rights. Only stores at `postgres://` are migrated. */
  readonly stores: Stores;
  readonly masterKeys: MasterKeySource;
  /** Passwords of the services' roles. When absent, one role serves all services. */
  readonly passwords?: RolePasswords | undefined;
}

const isPostgres = (url: string) => schemeOf(url) === "postgres";

/**
 * Creates or migrates all tables and keys of the services, and gives their roles the rights of
 * `rights.ts`. It works on an empty database, one of an earlier version, and one that is up to
 * date, even while services use it.
 * @returns how many keys were moved to their own database, if any were.
 * @throws {CannotStart} when the role in the URLs lacks the rights.
 * @throws {SchemaMismatch} when a newer version has migrated the database; nothing is changed.
 */
export async function migrate({
  stores,
  masterKeys,
  passwords,
}: MigrateOptions): Promise<MovedKeys | undefined> {
  const { DATABASE_URL, EVENT_STORE_URL, KEYS_URL, SEARCH_URL, JOBS_URL } = stores;
  await withPool(DATABASE_URL, async (pool) => {
    await installCommandTables(pool);
    await installReadModel(pool);
    await installOperations(pool);
    if (isPostgres(SEARCH_URL)) await new PostgresSearchIndex(pool).install();
  });
  if (isPostgres(EVENT_STORE_URL)) await installEventStore(EVENT_STORE_URL);
  // An earlier version kept the keys in the same database as everything else.
  const moved =
    KEYS_URL === DATABASE_URL ? undefined : await moveKeys({ from: DATABASE_URL, to: KEYS_URL });
  await makeKeys(KEYS_URL, masterKeys);
  if (isPostgres(JOBS_URL)) await makeQueue(JOBS_URL);
  if (!passwords) return moved;
  for (const url of new Set(Object.values(stores).filter(isPostgres)))
    await withPool(url, (pool) =>
      inTransaction(
        pool,
        async (client) => {
          await makeRoles(client, passwords);
          await grantRights(client);
        },
        { isLong: true },
      ),
    );
  return moved;
}

/** Creates all service keys, because services may only read them. */
async function makeKeys(database: string, masterKeys: MasterKeySource): Promise<void> {
  const keys = await openKeyStore({ database, masterKeys, name: "migrate" });
  try {
    for (const [name, formerMs] of Object.entries(SERVICE_KEYS))
      if (formerMs === null) await keys.serviceKey(name as PermanentKey);
      else await keys.liveKey(name as ReplaceableKey);
  } finally {
    await keys.close();
  }
}

async function makeQueue(url: string): Promise<void> {
  let disturbed: unknown;
  const jobs = await openPostgresMailJobs({
    url,
    handle: async () => "done",
    onError: (error) => {
      disturbed ??= error;
    },
  });
  await jobs.close();
  if (disturbed) throw disturbed;
}

async function withPool(
  url: string,
  work: (pool: ReturnType<typeof openPool>) => Promise<void>,
): Promise<void> {
  const pool = openPool({ url, name: "migrate", max: 1 });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}
