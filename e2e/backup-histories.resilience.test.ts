import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { ArchiveFolder, MARKER_FILE, nameOfFile } from "#ops/backup/place.ts";
import { type Installation, openSource } from "#ops/backup/source.ts";
import type { Step } from "#ops/backup/testing/faulty-place.ts";
import { history, type TestDisk, type TestRegistry } from "#ops/backup/testing/history.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { openProjectorStores } from "#services/projector/composition.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { seededRandom } from "#test-kit/random.ts";
import { evidenceAdded } from "#test-kit/report-events.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { configOf, log, restoreInto } from "./support/restored.ts";

const HISTORIES = 20;

const closing: (() => Promise<unknown>)[] = [];
const root = await mkdtemp(path.join(os.tmpdir(), "registry-histories-"));
closing.push(() => rm(root, { recursive: true, force: true }));
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
const newFolder = () => path.join(root, randomUUID());

async function newDisk(): Promise<TestDisk> {
  const place = new ArchiveFolder(newFolder());
  const files = async () => await readdir(place.folder).catch(() => []);
  return {
    place,
    state: "well",
    async wipe(marker) {
      for (const file of await files())
        if (marker || file !== MARKER_FILE) await rm(path.join(place.folder, file));
    },
    async contents() {
      const found = new Map<string, string>();
      for (const file of await files()) {
        const name = file === MARKER_FILE ? "marker" : nameOfFile(file);
        if (name === undefined) continue;
        const bytes = await readFile(path.join(place.folder, file));
        const hash = createHash("sha256").update(bytes).digest("hex");
        found.set(name, name === "marker" ? bytes.toString() : hash);
      }
      return found;
    },
  };
}

async function emptyInstallation(masterKeys: readonly Buffer[]): Promise<Installation> {
  const database = await freshDatabase();
  closing.push(() => database.drop());
  const { url } = database;
  const files = newFolder();
  return {
    ...{ databaseUrl: url, eventStoreUrl: url, keysUrl: url, masterKeys, version: "test" },
    filesUrl: pathToFileURL(files).href,
    erasuresUrl: undefined,
  };
}

/** A registry without running services. */
async function newRegistry(): Promise<TestRegistry> {
  const masters = [randomBytes(32)];
  const installation = await emptyInstallation(masters);
  const { databaseUrl, filesUrl } = installation;
  const ledger = pathToFileURL(path.join(newFolder(), "erasures")).href;
  // Creates the tables, and starts the log.
  const api = await composeCommandApi(configOf(installation), log);
  await api.stop();
  const projector = await openProjectorStores(configOf(installation), log);
  await projector.close();
  const { store, keys, close } = await openStores(databaseUrl, masters);
  closing.push(close);
  const writer = new EventWriter(store, keys);
  return {
    masterKeys: () => masters.toReversed(),
    async grow() {
      const [report, file] = [randomUUID(), randomUUID()];
      await keys.ensure([{ subject: subjects.file(file) }]);
      await writer.append(streams.report(report), [evidenceAdded(file)]);
      const folder = path.join(new URL(filesUrl).pathname, file.slice(0, 2));
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, file), randomBytes(40));
    },
    async rotateKey() {
      const next = randomBytes(32);
      await keys.rotate(next);
      masters.push(next);
    },
    async source({ masterKeys, hasFiles, step }) {
      const source = await openSource({
        ...installation,
        masterKeys,
        erasuresUrl: ledger,
        filesUrl: hasFiles ? filesUrl : pathToFileURL(newFolder()).href,
      });
      const stepped = (content: typeof source.data) => ({
        ...content,
        entries: () => between(content.entries(), step),
      });
      return { ...source, data: stepped(source.data), keys: stepped(source.keys) };
    },
  };
}

async function openStores(url: string, masters: readonly Buffer[]) {
  const store = await openEventStore(url);
  const keys = await openKeyStore({ database: url, masterKeys: () => masters.toReversed() });
  const close = async () => {
    await store.close();
    await keys.close();
  };
  return { store, keys, close };
}

async function* between<T>(items: AsyncIterable<T>, step: Step): AsyncGenerator<T> {
  for await (const item of items) {
    await step();
    yield item;
  }
}

it(`${HISTORIES} random histories on folders and PostgreSQL lose no intact backup that is young enough`, {
  timeout: 900_000,
}, async () => {
  const random = seededRandom("Histories of backups on real stores");
  const sum = { made: 0, refused: 0, killed: 0, removed: 0, unrotated: 0 };
  let restored = 0;
  for (let n = 0; n < HISTORIES; n += 1) {
    const outcome = await history({ newDisk, newRegistry }, random);
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += outcome[name];
    // The oldest has had the most to survive.
    const [oldest] = outcome.young;
    if (!oldest) continue;
    const into = await emptyInstallation(oldest.masterKeys);
    const counts = await restoreInto(into, oldest.name, oldest.places, { erasuresLost: true });
    expect(counts.files).toBeGreaterThan(0);
    expect(counts.events).toBeGreaterThan(counts.files);
    restored += 1;
  }
  console.log(`In them: ${JSON.stringify({ ...sum, restored })}`);
  expect(restored).toBeGreaterThan(HISTORIES / 2);
  for (const name of ["made", "refused", "removed"] as const) expect(sum[name]).toBeGreaterThan(0);
});
