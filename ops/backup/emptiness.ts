import { openEventStore } from "#event-store/open-event-store.ts";
import { START } from "#event-store/port.ts";
import { EVENT_LOG_SCHEMA } from "#event-store/postgres/schema.ts";
import { openFileStore } from "#files/open-file-store.ts";
import { DATA_SCHEMAS, KEYS_SCHEMAS } from "#launcher/migrate/backed-up.ts";
import { schemeOf } from "#runtime/config/urls.ts";
import { createClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { IS_RESTORING } from "#vault/keys/usable-keys.ts";
import type { Installation } from "./installation.ts";

/** @throws {Refusal} something is in the stores; nothing was changed. */
export async function refuseUnlessEmpty(into: Installation): Promise<void> {
  const found =
    (await keysThere(into.keysUrl)) ??
    (await eventsThere(into.eventStoreUrl)) ??
    (await rowsThere(
      into.databaseUrl,
      DATA_SCHEMAS.map(({ name }) => name),
      "accounts or mails",
    )) ??
    (await filesThere(into.filesUrl));
  if (found)
    throw new Refusal(
      `The installation is not empty (${found}): restore into a new data folder, or into stores that are new. Nothing was changed.`,
    );
}

async function keysThere(url: string): Promise<string | undefined> {
  const found = await rowsThere(
    url,
    KEYS_SCHEMAS.map(({ name }) => name),
    "keys",
  );
  return found && (await isRestoring(url)) ? "an earlier restore into it was interrupted" : found;
}

async function eventsThere(url: string): Promise<string | undefined> {
  if (schemeOf(url) === "postgres") return rowsThere(url, [EVENT_LOG_SCHEMA], "events");
  const store = await openEventStore(url, { name: "restore" });
  try {
    return (await store.head()) === START ? undefined : "events";
  } finally {
    await store.close();
  }
}

async function filesThere(url: string): Promise<string | undefined> {
  const files = openFileStore(url);
  try {
    for await (const _ of files.list()) return "files";
    return undefined;
  } finally {
    await files.close();
  }
}

/** Whether any table of the schemas has a row; those that do not exist have none. */
async function rowsThere(
  url: string,
  schemas: readonly string[],
  what: string,
): Promise<string | undefined> {
  return onDatabase(url, async (query) => {
    const tables = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = any($1) and tablename <> 'migration'`,
      [schemas],
    );
    for (const { name } of tables)
      if ((await query(`select 1 from ${name} limit 1`)).length > 0) return what;
    return undefined;
  });
}

async function isRestoring(url: string): Promise<boolean> {
  return onDatabase(url, async (query) => (await query(IS_RESTORING)).length > 0);
}

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function onDatabase<T>(url: string, use: (query: Query) => Promise<T>): Promise<T> {
  const client = createClient({ url, name: "restore" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}
