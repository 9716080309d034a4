import type pg from "pg";
import type { System } from "./in-process.ts";

/** A copy of all key tables, as a backup holds them. */
export type KeyCopy = readonly {
  readonly name: string;
  readonly rows: readonly Record<string, unknown>[];
}[];

export async function copyKeys(db: pg.Pool): Promise<KeyCopy> {
  const { rows: tables } = await db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'keys' and table_type = 'BASE TABLE'",
  );
  return Promise.all(
    tables.map(async ({ name }) => ({
      name,
      rows: (await db.query(`select * from keys.${name}`)).rows,
    })),
  );
}

/** Replaces the keys with an older copy. */
export async function restoreKeys(db: pg.Pool, copy: KeyCopy): Promise<void> {
  const client = await db.connect();
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  for (const { name, rows } of copy) {
    await client.query(`delete from keys.${name}`);
    for (const row of rows) {
      const columns = Object.keys(row);
      const places = columns.map((_, i) => `$${i + 1}`).join(", ");
      await client.query(
        `insert into keys.${name} (${columns.join(", ")}) values (${places})`,
        Object.values(row),
      );
    }
  }
  await client.query("commit");
  client.release();
}

/** Starts and stops another projector, as a restart of the system would. */
export async function restartProjector({ databaseUrl, masterKey }: System): Promise<void> {
  const { composeProjector } = await import("#services/projector/composition.ts");
  const { pino } = await import("pino");
  const config = {
    databaseUrl,
    eventStoreUrl: databaseUrl,
    keysUrl: databaseUrl,
    searchUrl: databaseUrl,
    masterKeys: [masterKey],
  };
  const restarted = await composeProjector(config, { log: pino({ level: "silent" }) });
  await restarted.start();
  await restarted.ready();
  await restarted.stop();
}
