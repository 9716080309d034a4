import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import type { Sealed } from "#contracts/sealed.ts";
import {
  type BackupOptions,
  type BackupPlaces,
  type MadeBackup,
  writeBackup,
} from "#ops/backup/backups.ts";
import { claimPlaces, type PlaceMemory } from "#ops/backup/markers.ts";
import { ArchiveFolder } from "#ops/backup/place.ts";
import { prepareRestore, restore } from "#ops/backup/restore.ts";
import { type Installation, openSource } from "#ops/backup/source.ts";
import { projectedSchemas } from "#read-model/install.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { createLogger } from "#runtime/log.ts";
import { type CommandApi, composeCommandApi } from "#services/command-api/composition.ts";
import { composeProjector } from "#services/projector/composition.ts";
import { composeQueryApi, type QueryApi } from "#services/query-api/composition.ts";
import { CHEAP_PASSWORDS } from "#test-kit/cheap-passwords.ts";
import { reachedPosition } from "#test-kit/reached-position.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { openColumn, SealBroken } from "#vault/sealing/seal.ts";
import { IN_PROCESS } from "./config.ts";
import type { System } from "./in-process.ts";

export const log = createLogger({ name: "test", level: "silent" });

/** A test's archives, in its own folder. */
export function placesIn(folder: string) {
  const at = (name: string) => new ArchiveFolder(path.join(folder, name));
  return { data: at("archives"), keys: at("keys") } satisfies BackupPlaces;
}

/** An in-memory record of a registry's places. */
export function memory(): PlaceMemory {
  let known: string | undefined;
  return {
    recall: async () => known,
    remember: async (pair) => {
      known = pair;
    },
  };
}

/** Writes a backup to new places. Neither verifies it nor removes others. */
export async function makeBackup(
  installation: Installation,
  places: BackupPlaces,
  options: BackupOptions = {},
): Promise<MadeBackup> {
  await using source = await openSource(installation);
  await claimPlaces(places, source.log, memory(), true);
  return await writeBackup(source, places, options);
}

/** Returns the installation that a backup of a running system is made from. */
export function installationOf(
  system: System,
  at: { eventStoreUrl: string | undefined; erasuresUrl: string | undefined },
): Installation {
  return {
    databaseUrl: system.databaseUrl,
    keysUrl: system.databaseUrl,
    eventStoreUrl: at.eventStoreUrl ?? system.databaseUrl,
    filesUrl: pathToFileURL(path.join(system.mailFolder, "files")).href,
    erasuresUrl: at.erasuresUrl,
    masterKeys: [system.masterKey],
    version: "test",
  };
}

/** Returns the services' settings for an installation. */
export function configOf({ databaseUrl, keysUrl, ...others }: Installation) {
  return {
    ...IN_PROCESS,
    ...others,
    databaseUrl,
    keysUrl,
    searchUrl: databaseUrl,
    passwordCost: CHEAP_PASSWORDS,
  };
}

/** Restores a backup into an empty installation. */
export async function restoreInto(
  installation: Installation,
  name: string,
  places: BackupPlaces,
  {
    erasuresLost = false,
    say = () => undefined,
  }: { erasuresLost?: boolean; say?: () => void } = {},
) {
  const config = configOf(installation);
  const options = { names: { data: name, keys: name }, places, erasuresLost };
  const prepared = await prepareRestore(installation, options);
  const target = { installation, commandApi: config, projector: config, log, say };
  return restore(target, prepared, options);
}

/** A restored installation with its services. */
export interface Restored {
  readonly commandApi: CommandApi;
  readonly queryApi: QueryApi;
  readonly db: pg.Pool;
  signIn(email: string, password: string): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** Starts the services, and waits until the read models are at the log's head. */
export async function startRestored(installation: Installation): Promise<Restored> {
  const config = configOf(installation);
  const db = new pg.Pool({ connectionString: installation.databaseUrl, max: 2 });
  const commandApi = await composeCommandApi(config, log);
  await commandApi.start();
  const projector = await composeProjector(config, { log });
  await projector.start();
  const queryApi = await composeQueryApi(config, log);
  await queryApi.start();
  await projector.ready();
  await reachedPosition(db, PROCESSORS, await commandApi.store.head());
  return {
    commandApi,
    queryApi,
    db,
    signIn: (email, password) =>
      commandApi.app.inject({
        method: "POST",
        url: "/prod/api/auth/login",
        payload: { email, password },
      }),
    async close() {
      await projector.stop();
      await queryApi.stop();
      await commandApi.stop();
      await db.end();
    },
  };
}

/**
 * Returns every row of the read models except its log position, by table, including the search's own rows. Opens
 * what a projection sealed, since sealing the same value never gives the same box twice.
 */
export async function readModelsOf(
  db: pg.Pool,
  keys: Pick<KeyStore, "get">,
): Promise<Map<string, string[]>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) and tablename <> 'migration' order by 1`,
    [[...Object.keys(projectedSchemas), "search", "address"]],
  );
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: Row }>(
      `select to_jsonb(t) - 'position' - 'epoch' as row from ${name} t`,
    );
    const opened = await Promise.all(rows.map(({ row }) => withOpened(row, name, keys)));
    found.set(name, opened.map((row) => JSON.stringify(row)).sort());
  }
  return found;
}

type Row = Record<string, unknown>;

async function withOpened(row: Row, table: string, keys: Pick<KeyStore, "get">): Promise<Row> {
  const opened = { ...row };
  for (const [column, value] of Object.entries(row)) {
    const sealed = value as Sealed | null;
    if (!sealed?.box || typeof row.report_id !== "string") continue;
    const key = (await keys.get([sealed.key])).get(sealed.key);
    if (key?.state !== "present") continue;
    try {
      opened[column] = openColumn(key.key, sealed, { table, column, rowId: row.report_id });
    } catch (error) {
      // It belongs to an event, and stays as it is.
      if (!(error instanceof SealBroken)) throw error;
    }
  }
  return opened;
}
