import pg from "pg";
import { installCommandTables } from "#command-tables/install.ts";
import { installEventStore } from "#event-store/postgres/postgres-event-store.ts";
import { installOperations } from "#operations/process-table.ts";
import { installReadModel } from "#read-model/install.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { SERVICE_NAMES, SERVICE_ROLES, type ServiceName } from "#runtime/db/service-roles.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { openPostgresMailJobs } from "#services/mailer/jobs/postgres-mail-jobs.ts";
import type { MasterKeySource } from "#vault/keys/master-ring.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import {
  KEY_USERS,
  type PermanentKey,
  type ReplaceableKey,
  SERVICE_KEYS,
  type ServiceKeyName,
} from "#vault/keys/service-keys.ts";
import type { Stores } from "../instance.ts";
import { type MovedKeys, moveKeys } from "./move-keys.ts";
import { MAINTAIN, NOTHING, OWNED, RIGHTS } from "./rights.ts";
import { makeRoles, type RolePasswords } from "./roles.ts";

export interface MigrateOptions {
  /** URLs with the owner's rights. Only stores at `postgres://` are migrated. */
  readonly stores: Stores;
  readonly masterKeys: MasterKeySource;
  /** Passwords of the services' roles. If absent, one role serves all services. */
  readonly passwords?: RolePasswords | undefined;
}

const isPostgres = (url: string) => schemeOf(url) === "postgres";

/**
 * Creates or migrates all tables and keys of the services, and grants their roles the rights in
 * `rights.ts`. It works on an empty database, an earlier version's and an up-to-date one, even while
 * services use it.
 * @returns how many keys were moved to their own database, if any.
 * @throws {CannotStart} if the role in the URLs lacks the rights.
 * @throws {SchemaMismatch} if a newer version has migrated the database; nothing is changed.
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

const roleOf = (service: ServiceName) => SERVICE_ROLES[service];
const ROLES = SERVICE_NAMES.map(roleOf);
const schemaOf = (object: string) => object.slice(0, object.indexOf("."));
const OWNERS = Object.entries(OWNED) as [ServiceName, readonly string[]][];

/** First server version with the `MAINTAIN` right. */
const MAINTAIN_SINCE = 170_000;

/** Grants each service's role its rights in `rights.ts` and revokes all others. @param client of the owner. */
export async function grantRights(client: pg.ClientBase): Promise<void> {
  await lockUntilCommit(client, "migrate:rights");
  const all = new Set([
    ...SERVICE_NAMES.flatMap((service) => Object.keys(RIGHTS[service]).map(schemaOf)),
    ...OWNERS.flatMap(([, schemas]) => schemas),
  ]);
  const { rows } = await client.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = any($1)",
    [[...all]],
  );
  const present = new Set(rows.map(({ nspname }) => nspname));
  for (const [service, schemas] of OWNERS) await giveSchemas(client, schemas, roleOf(service));
  await takeAll(client, present);
  await grantDatabase(client, present);
  for (const service of SERVICE_NAMES) await grantService(client, service, present);
  await grantRebuilt(client, present);
  if (present.has("keys")) await restrictServiceKeys(client);
  if (present.has("ops"))
    for (const table of ["ops.process", "ops.answer"]) await restrictToOwn(client, table);
}

async function takeAll(client: pg.ClientBase, present: ReadonlySet<string>): Promise<void> {
  for (const schema of present) {
    const owner = OWNERS.find(([, schemas]) => schemas.includes(schema))?.[0];
    const others = ROLES.filter((role) => role !== (owner && roleOf(owner))).join(", ");
    for (const what of ["schema", "all tables in schema", "all routines in schema"])
      await client.query(`revoke all on ${what} ${schema} from ${others}`);
    // Functions may run with their owner's rights, so not everyone may call them.
    await client.query(`revoke all on all routines in schema ${schema} from public`);
  }
}

async function grantDatabase(client: pg.ClientBase, present: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(current_database()) as name",
  );
  const database = rows[0]?.name;
  await client.query("revoke create on schema public from public");
  await client.query(`revoke create, temporary on database ${database} from public`);
  await client.query(`revoke all on database ${database} from ${ROLES.join(", ")}`);
  await client.query(`grant connect on database ${database} to ${ROLES.join(", ")}`);
  for (const [service, schemas] of OWNERS)
    if (schemas.some((schema) => present.has(schema)))
      await client.query(`grant create on database ${database} to ${roleOf(service)}`);
}

async function grantService(
  client: pg.ClientBase,
  service: ServiceName,
  present: ReadonlySet<string>,
): Promise<void> {
  const role = roleOf(service);
  const granted = Object.entries(RIGHTS[service]).filter(([object]) =>
    present.has(schemaOf(object)),
  );
  for (const schema of new Set(granted.map(([object]) => schemaOf(object)))) {
    await client.query(`grant usage on schema ${schema} to ${role}`);
    if ((await relations(client, schema)).includes("migration"))
      await client.query(`grant select on ${schema}.migration to ${role}`);
  }
  const apart = new Set(granted.map(([object]) => object));
  for (const [object, rights] of granted) {
    if (rights === NOTHING) continue;
    const possible = await possibleRights(client, rights);
    for (const each of possible ? await named(client, object, apart) : [])
      await client.query(`grant ${possible} on ${each} to ${role}`);
  }
}

/** Returns the objects in `GRANT` syntax. @param apart objects with their own entry. */
async function named(
  client: pg.ClientBase,
  object: string,
  apart: ReadonlySet<string>,
): Promise<string[]> {
  if (object.endsWith(")")) return [`function ${object}`];
  if (!object.endsWith(".*")) return [`table ${object}`];
  const schema = schemaOf(object);
  const names = (await relations(client, schema)).map((name) => `${schema}.${name}`);
  return names
    .filter((name) => name !== `${schema}.migration` && !apart.has(name))
    .map((name) => `table ${name}`);
}

async function relations(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm') order by 1`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

async function possibleRights(client: pg.ClientBase, rights: string): Promise<string> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  if ((rows[0]?.version ?? 0) >= MAINTAIN_SINCE) return rights;
  return rights
    .split(/, (?![^(]*\))/)
    .filter((right) => right !== MAINTAIN)
    .join(", ");
}

/** Makes tables that the projector rebuilds later readable to the same roles. */
async function grantRebuilt(client: pg.ClientBase, present: ReadonlySet<string>): Promise<void> {
  if (!OWNED.projector?.some((schema) => present.has(schema))) return;
  const future = `alter default privileges for role ${SERVICE_ROLES.projector} grant`;
  await client.query(`${future} usage on schemas to ${SERVICE_ROLES["query-api"]}`);
  await client.query(`${future} select on tables to ${SERVICE_ROLES["query-api"]}`);
}

/** Limits each role to the rows of keys its service uses; the owner and backups see all. */
async function restrictServiceKeys(client: pg.ClientBase): Promise<void> {
  await client.query("alter table keys.service_key enable row level security");
  for (const service of SERVICE_NAMES) {
    const names = (Object.keys(KEY_USERS) as ServiceKeyName[]).filter((name) =>
      (KEY_USERS[name] as readonly ServiceName[]).includes(service),
    );
    const role = roleOf(service);
    const list = names.map((name) => pg.escapeLiteral(name)).join(", ");
    const rows = service === "backup" ? "true" : `name in (${list})`;
    await client.query(`drop policy if exists ${role} on keys.service_key`);
    await client.query(
      `create policy ${role} on keys.service_key for select to ${role} using (${rows})`,
    );
  }
}

/** Roles that read the status reports of all processes. */
const READS_PROCESSES: readonly ServiceName[] = ["command-api", "query-api"];

/** Limits each role to writing its own service's rows. The owner sees and writes all. */
async function restrictToOwn(client: pg.ClientBase, table: string): Promise<void> {
  await client.query(`alter table ${table} enable row level security`);
  for (const service of SERVICE_NAMES) {
    const role = roleOf(service);
    const isOwn = `(service = ${pg.escapeLiteral(service)})`;
    for (const policy of [role, `${role}_reads`])
      await client.query(`drop policy if exists ${policy} on ${table}`);
    await client.query(
      `create policy ${role} on ${table} to ${role} using ${isOwn} with check ${isOwn}`,
    );
    if (READS_PROCESSES.includes(service))
      await client.query(
        `create policy ${role}_reads on ${table} for select to ${role} using (true)`,
      );
  }
}

/** Statements that change the owner of a schema and everything in it to the role `$2`. */
const STATEMENTS = `
  with target as (
    select oid, nspname, nspowner from pg_namespace where nspname = any($1)
  ), wanted as (select oid from pg_roles where rolname = $2)
  select 1 as step, format('alter schema %I owner to %I', nspname, $2) as statement
  from target, wanted where nspowner <> wanted.oid
  union all
  select 2, format('alter %s %I.%I owner to %I',
    case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' else 'table' end, t.nspname, c.relname, $2)
  from pg_class c join target t on t.oid = c.relnamespace, wanted
  where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> wanted.oid
    -- A column's own sequence goes with its table.
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
  union all
  select 3, format('alter routine %s owner to %I', p.oid::regprocedure, $2)
  from pg_proc p join target t on t.oid = p.pronamespace, wanted where p.proowner <> wanted.oid
  union all
  select 4, format('alter type %I.%I owner to %I', t.nspname, y.typname, $2)
  from pg_type y join target t on t.oid = y.typnamespace, wanted
  where y.typowner <> wanted.oid and y.typtype in ('e', 'd')
  order by step`;

/** Makes a role the owner of schemas, including those left by an unfinished rebuild. */
async function giveSchemas(
  client: pg.ClientBase,
  schemas: readonly string[],
  role: string,
): Promise<void> {
  const names = schemas.flatMap((schema) => [schema, `${schema}_next`, `${schema}_old`]);
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [names, role]);
  for (const { statement } of rows) await client.query(statement);
}
