import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { archiveOf, readHeadOf } from "#ops/backup/archive.ts";
import {
  type BackupPlaces,
  type KeepOptions,
  keepBackup,
  listBackups,
  type MadeBackup,
  verifyBackup,
} from "#ops/backup/backups.ts";
import { ARCHIVE_FORMAT, type Head, PRODUCT, signManifest } from "#ops/backup/manifest.ts";
import { ArchiveFolder, MARKER_FILE } from "#ops/backup/place.ts";
import { type Installation, openSource } from "#ops/backup/source.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { openErasureLedger } from "#vault/erasures/erasure-ledger.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";
import {
  configOf,
  installationOf,
  log,
  makeBackup,
  memory,
  placesIn,
  restoreInto,
} from "./support/restored.ts";

const closing: (() => Promise<unknown>)[] = [];
let folder: string;
let system: System;
let source: Installation;
let backup: MadeBackup;
let data: Buffer;
let keys: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-refusals-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const erasuresUrl = pathToFileURL(path.join(folder, "erasures")).href;
  system = await startSystem({ erasuresUrl });
  closing.push(() => system.close());
  source = installationOf(system, { eventStoreUrl: undefined, erasuresUrl });
  await submit(system);
  backup = await makeBackup(source, placesIn(folder));
  data = await readFile(backup.dataFile);
  keys = await readFile(backup.keysFile);
}, 120_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function empty(): Promise<Installation> {
  const database: TestDatabase = await freshDatabase();
  closing.push(() => database.drop());
  const at = { databaseUrl: database.url, keysUrl: database.url, eventStoreUrl: database.url };
  const files = path.join(folder, `files-${randomUUID()}`);
  return { ...source, ...at, filesUrl: pathToFileURL(files).href };
}

async function schemasOf({ databaseUrl }: Installation): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')",
  );
  await client.end();
  return rows.map(({ nspname }) => nspname);
}

/** Tries to restore other archives and checks that nothing was written. */
async function refused(
  archives: { data?: Buffer; keys?: Buffer },
  installation?: Partial<Installation>,
): Promise<string> {
  const places = placesIn(path.join(folder, randomUUID()));
  for (const [place, content] of [
    [places.data, archives.data ?? data],
    [places.keys, archives.keys ?? keys],
  ] as const) {
    await mkdir(place.folder, { recursive: true });
    await writeFile(place.fileOf(backup.name), content);
  }
  const into = { ...(await empty()), ...installation };
  const message = await restoreInto(into, backup.name, places).then(
    () => "it was restored",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect(await schemasOf(into)).toEqual([]);
  expect(existsSync(new URL(into.filesUrl))).toBe(false);
  return message;
}

const LONG_AGO = "registry-2026-01-02t02-00-00-000z";
/** Makes and keeps a backup as the command does. */
async function keep(places: BackupPlaces, options: Omit<KeepOptions, "memory">) {
  await using made = await openSource(source);
  return await keepBackup(made, places, { memory: memory(), newPlace: true, ...options });
}

async function headOf({ dataFile }: MadeBackup): Promise<Head> {
  return readHeadOf(createReadStream(dataFile), "the archive");
}

/** Copies a backup to the name it would have had on another day. */
async function ofAnotherDay(places: ReturnType<typeof placesIn>, name = "", at: string) {
  for (const place of [places.data, places.keys])
    await copyFile(place.fileOf(name), place.fileOf(at));
}

describe("a restore refuses, before anything is written,", { timeout: 60_000 }, () => {
  it("an archive that is truncated at any point", async () => {
    for (const left of [0, 3, 1000, data.length - 1])
      expect(await refused({ data: data.subarray(0, left) })).toMatch(
        /^Refusal: The archive .* is truncated/,
      );
    expect(await refused({ keys: keys.subarray(0, keys.length - 1) })).toMatch(/truncated/);
  });

  it("an archive that was changed", async () => {
    for (const [kind, whole] of [
      ["data", data],
      ["keys", keys],
    ] as const) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] as number) ^ 1;
      expect(await refused({ [kind]: bytes })).toMatch(/^Refusal: The archive /);
    }
    // The same sizes and names, with one letter changed.
    const plain = zstdDecompressSync(data).toString("latin1");
    expect(plain).toContain('"type":"LogStarted"');
    const packed = Buffer.from(plain.replace('"LogStarted"', '"LogStarten"'), "latin1");
    expect(await refused({ data: zstdCompressSync(packed) })).toMatch(
      /^Refusal: The archive .* was changed or damaged: it can't be restored\.$/,
    );
  });

  it("an archive whose content was changed and packed again with the right sums", async () => {
    const text = Buffer.from("hash of another password\n");
    const entry = { name: "table/command.account/000000001", items: 1 };
    const entries = async function* () {
      yield { ...entry, size: text.length, content: [text] };
    };
    // It claims to need the right master key, which its author does not have.
    const head = await headOf(backup);
    const another = archiveOf(head, entries(), (parts) =>
      signManifest({ ...head, parts: Object.fromEntries(parts), migrations: {} }, randomBytes(32)),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of another) chunks.push(chunk);
    expect(await refused({ data: Buffer.concat(chunks) })).toMatch(/was changed or damaged/);
  });

  it("an archive from another program, another registry or another backup", async () => {
    const foreign = zstdCompressSync(Buffer.from("no tar at all".repeat(100)));
    for (const content of [Buffer.from("hosts: files dns"), foreign])
      expect(await refused({ data: content })).toMatch(/^Refusal: .*(isn't an archive|truncated)/);
    expect(await refused({}, { masterKeys: [randomBytes(32)] })).toMatch(
      /needs version 1 of its registry's master key, which wasn't given/,
    );
    const places = placesIn(path.join(folder, "other"));
    const other = await makeBackup(source, places);
    expect(await refused({ keys: await readFile(other.keysFile) })).toMatch(/different backups/);
    expect(await refused({ keys: data })).toMatch(/different backups/);
  });

  it("an archive of a newer version", async () => {
    const none = async function* () {};
    const head = { product: PRODUCT, format: ARCHIVE_FORMAT + 1, version: "9.0.0" };
    const newer = archiveOf(head as unknown as Head, none(), () => "{}");
    const chunks: Uint8Array[] = [];
    for await (const chunk of newer) chunks.push(chunk);
    expect(await refused({ data: Buffer.concat(chunks) })).toMatch(
      /made by a newer version of this program \(9\.0\.0\)/,
    );
  });

  it("an erasure ledger that is missing, from another registry, or damaged", async () => {
    const ledgerAt = (name: string) => pathToFileURL(path.join(folder, name)).href;
    expect(await refused({}, { erasuresUrl: undefined })).toMatch(/ledger of erasures is missing/);
    expect(await refused({}, { erasuresUrl: ledgerAt("nowhere") })).toMatch(/is missing/);
    await openErasureLedger(ledgerAt("another")).mark();
    expect(await refused({}, { erasuresUrl: ledgerAt("another") })).toMatch(
      /not the one of this backup/,
    );
    const text = await readFile(path.join(folder, "erasures"), "utf8");
    await writeFile(path.join(folder, "damaged"), `${text}{"subject":"*","at":"now"}\n`);
    expect(await refused({}, { erasuresUrl: ledgerAt("damaged") })).toMatch(/^LedgerDamaged/);
  });

  it("an installation that is not empty, and leaves it as it was", async () => {
    const before = await system.commandApi.store.head();
    const refusal = restoreInto(source, backup.name, placesIn(folder));
    await expect(refusal).rejects.toThrow(
      /The installation is not empty \(keys\).*Nothing was changed/,
    );
    expect(await system.commandApi.store.head()).toBe(before);
    const withFiles = await empty();
    await mkdir(path.join(new URL(withFiles.filesUrl).pathname, "ab"), { recursive: true });
    await writeFile(path.join(new URL(withFiles.filesUrl).pathname, "ab", "abc"), "a file");
    await expect(restoreInto(withFiles, backup.name, placesIn(folder))).rejects.toThrow(
      "is not empty (files)",
    );
    expect(await schemasOf(withFiles)).toEqual([]);
  });
});

describe("a restore", { timeout: 60_000 }, () => {
  it("without the ledger is recorded in the log", async () => {
    const installation = { ...(await empty()), erasuresUrl: undefined };
    await restoreInto(installation, backup.name, placesIn(folder), { erasuresLost: true });
    const api = await composeCommandApi(configOf(installation), log);
    const last = [];
    for await (const event of api.store.readStream("log", "end", {
      direction: "backwards",
      limit: 1,
    }))
      last.push({ type: event.type, data: event.data });
    await api.stop();
    expect(last).toEqual([{ type: "LogRestored", data: { erasure_ledger_lost: true } }]);
  });

  it("that was interrupted leaves stores that no process and no restore accepts", async () => {
    const installation = await empty();
    const say = () => {
      throw new Error("killed");
    };
    const interrupted = restoreInto(installation, backup.name, placesIn(folder), { say });
    await expect(interrupted).rejects.toThrow("killed");
    await expect(composeCommandApi(configOf(installation), log)).rejects.toThrow(
      /A restore into these stores is in progress or was interrupted/,
    );
    await expect(restoreInto(installation, backup.name, placesIn(folder))).rejects.toThrow(
      /an earlier restore into it was interrupted/,
    );
  });
});

describe("a backup", () => {
  it("is never kept with its keys", async () => {
    const place = new ArchiveFolder(path.join(folder, "one"));
    for (const inside of [place, new ArchiveFolder(path.join(folder, "one", "keys"))]) {
      const made = keep({ data: place, keys: inside }, { days: 2 });
      await expect(made).rejects.toThrow(/The keys must not be kept with the archive/);
    }
    expect(existsSync(place.folder)).toBe(false);
  });

  it("that cannot be written leaves nothing in either place", async () => {
    const at = path.join(folder, "in-the-way");
    const places = placesIn(at);
    await mkdir(at);
    await writeFile(places.data.folder, "a file");
    await expect(makeBackup(source, places)).rejects.toThrow(/cannot be written to/);
    expect(await readdir(at)).toEqual(["archives"]);
  });

  it("that fails after its keys are written leaves nothing in either place", async () => {
    const places = placesIn(path.join(folder, "failed"));
    await writeFile(path.join(folder, "no-folder"), "a file");
    const filesUrl = pathToFileURL(path.join(folder, "no-folder")).href;
    await expect(makeBackup({ ...source, filesUrl }, places)).rejects.toThrow("file folder");
    for (const { folder } of [places.data, places.keys])
      expect(await readdir(folder)).toEqual([MARKER_FILE]);
  });

  it("that is stopped, before or after its keys are written, leaves nothing in either place", async () => {
    const stopped = new Error("stopped");
    const early = placesIn(path.join(folder, "stopped-early"));
    const late = placesIn(path.join(folder, "stopped-late"));
    await expect(makeBackup(source, early, { signal: AbortSignal.abort(stopped) })).rejects.toBe(
      stopped,
    );
    const stop = new AbortController();
    const data = new (class extends ArchiveFolder {
      override async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
        expect(await late.keys.list()).toHaveLength(1);
        stop.abort(stopped);
        return super.put(name, content);
      }
    })(late.data.folder);
    const made = makeBackup(source, { ...late, data }, { signal: stop.signal });
    await expect(made).rejects.toBe(stopped);
    for (const { folder } of [early.keys, late.data, late.keys])
      expect(await readdir(folder)).toEqual([MARKER_FILE]);
  });

  it("that waits for a locked table can be stopped, and leaves nothing", async () => {
    const places = placesIn(path.join(folder, "held"));
    const holder = new pg.Client({ connectionString: source.databaseUrl });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; lock table command.account in access exclusive mode");
    const stop = new AbortController();
    const stopped = new Error("stopped");
    const made = makeBackup(source, places, { signal: stop.signal });
    made.catch(() => undefined);
    const WAITING = `
      select from pg_locks where not granted and relation = 'command.account'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await holder.query(WAITING)).rowCount).toBe(1);
    expect(await places.keys.list()).toHaveLength(1);
    expect(await readdir(places.data.folder)).toHaveLength(2);
    stop.abort(stopped);
    await expect(made).rejects.toBe(stopped);
    for (const { folder } of [places.data, places.keys])
      expect(await readdir(folder)).toEqual([MARKER_FILE]);
  });

  it("that is incomplete, or stopped during verification, removes itself and no other", async () => {
    const places = placesIn(path.join(folder, "not-whole"));
    const older = [await makeBackup(source, places), await makeBackup(source, places)];
    const files = [
      ...older.map(({ name }) => path.basename(places.data.fileOf(name))),
      MARKER_FILE,
    ];
    const stop = new AbortController();
    const stopped = new Error("stopped");
    /** Does something to an archive that was just written. */
    const touched = (place: ArchiveFolder, act: (file: string) => unknown) =>
      new (class extends ArchiveFolder {
        override async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
          const file = await super.put(name, content);
          await act(file);
          return file;
        }
      })(place.folder);
    const cut = (file: string) => truncate(file, 100);
    for (const [changed, reason] of [
      [{ data: touched(places.data, cut) }, /truncated/],
      [{ keys: touched(places.keys, cut) }, /truncated/],
      [{ data: touched(places.data, () => stop.abort(stopped)) }, /^stopped$/],
    ] as const) {
      const kept = keep({ ...places, ...changed }, { days: 2, signal: stop.signal });
      await expect(kept).rejects.toThrow(reason);
      for (const place of [places.data, places.keys])
        expect((await readdir(place.folder)).sort()).toEqual(files.sort());
    }
    await ofAnotherDay(places, older[0]?.name, LONG_AGO);
    const { made, removed } = await keep(places, { days: 1 });
    expect(removed).toContain(LONG_AGO);
    expect((await listBackups(places, [system.masterKey])).map(({ name }) => name)).toContain(
      made.name,
    );
  });

  it("is kept, with an error, if older ones cannot be removed", async () => {
    const places = placesIn(path.join(folder, "unrotated"));
    const older = await makeBackup(source, places);
    await ofAnotherDay(places, older.name, LONG_AGO);
    const keys = new (class extends ArchiveFolder {
      override async remove(): Promise<void> {
        throw new Error("read-only");
      }
    })(places.keys.folder);
    await expect(keep({ ...places, keys }, { days: 1 })).rejects.toThrow(
      /is complete and kept, but older ones couldn't be removed: read-only/,
    );
    const kept = await listBackups(places, [system.masterKey]);
    // Its archive was removed first.
    expect(kept.map(({ state }) => state)).toEqual(["no_archive", "opens", "opens"]);
    expect(kept[0]?.name).toBe(LONG_AGO);
  });

  it("is listed and verified", async () => {
    const places = placesIn(path.join(folder, "kept"));
    const made: string[] = [];
    for (const byHand of [true, false, true])
      made.push((await makeBackup(source, places, { byHand })).name);
    const listed = await listBackups(places, [system.masterKey]);
    expect(listed).toEqual(
      made.map((name, n) => ({
        name,
        state: "opens",
        by_hand: n !== 1,
        key_versions: [1],
        current_key: true,
        bytes: expect.any(Number),
        made_at: expect.stringMatching(/^20\d\d-.*Z$/),
        log: expect.any(String),
      })),
    );
    const [kept = "", , another = ""] = made;
    const names = { data: kept, keys: kept };
    const { data: manifest } = await verifyBackup(names, places, [system.masterKey]);
    expect(manifest.parts.events?.items).toBeGreaterThan(0);
    await copyFile(places.data.fileOf(another), places.data.fileOf(kept));
    await truncate(places.keys.fileOf(another), 3);
    await rm(places.keys.fileOf(made[1] ?? ""));
    const states = (await listBackups(places, [])).map(({ state }) => state);
    expect(states).toEqual(["mismatched", "no_keys", "unreadable"]);
    await expect(verifyBackup(names, places, [system.masterKey])).rejects.toThrow(
      /different backups/,
    );
  });

  it("has no wrapped keys in its data, and the master key in neither archive", async () => {
    const { rows } = await system.db.query<{ wrapped: string }>(
      `select encode(wrapped, 'hex') as wrapped from keys.subject_key where wrapped is not null
       union all select encode(wrapped, 'hex') from keys.service_key`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const [plainData, plainKeys] = [data, keys].map((each) =>
      zstdDecompressSync(each).toString("latin1"),
    ) as [string, string];
    const first = rows.find(({ wrapped }) => plainKeys.includes(wrapped));
    expect(first).toBeDefined();
    for (const { wrapped } of rows) expect(plainData).not.toContain(wrapped);
    for (const text of [plainData, plainKeys])
      for (const encoding of ["hex", "base64", "base64url", "latin1"] as const)
        expect(text).not.toContain(system.masterKey.toString(encoding));
  });
});
