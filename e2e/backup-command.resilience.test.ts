import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { evidenceAdded } from "#test-kit/report-events.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { plainEnvironment } from "./support/config.ts";
import { runCommand } from "./support/registry.ts";

const root = path.resolve(import.meta.dirname, "..");
const MASTER = "ab".repeat(32);
const NEXT = "cd".repeat(32);

let folder: string;
let from: TestDatabase;
let to: TestDatabase;
let empty: TestDatabase;
/** A backup from before the tests that rotate the master key. */
let first = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-backup-command-"));
  [from, to, empty] = await Promise.all([freshDatabase(), freshDatabase(), freshDatabase()]);
  const account = ["--role", "admin", "--email", "ann@b.example", "--password-stdin"];
  expect(await run("account-add", account, stores(from), "Correct-horse-9\n")).toMatchObject({
    code: 0,
  });
  // Creates the projector's tables.
  expect(await run("rebuild", ["all"], stores(from))).toMatchObject({ code: 0 });
  await addEvidence();
}, 120_000);
afterAll(async () => {
  for (const database of [from, to, empty]) await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => `file://${folder}/${name}`;
const stores = ({ url }: TestDatabase, files = "files") => ({
  DATABASE_URL: url,
  MASTER_KEY: MASTER,
  FILES_URL: at(files),
  ERASURES_URL: at("erasures"),
  BACKUP_URL: at("archives"),
  BACKUP_KEYS_URL: at("keys"),
  BACKUP_KEEP: "2",
});

/** Adds a report that names a file, and stores the file. */
async function addEvidence(): Promise<void> {
  const id = randomUUID();
  const keys = await openKeyStore({ database: from.url, masterKeys: [Buffer.from(MASTER, "hex")] });
  const store = await openEventStore(from.url);
  await keys.ensure([{ subject: subjects.file(id) }]);
  await new EventWriter(store, keys).append(streams.report(randomUUID()), [evidenceAdded(id)]);
  await store.close();
  await keys.close();
  await mkdir(path.join(folder, "files", id.slice(0, 2)), { recursive: true });
  await writeFile(path.join(folder, "files", id.slice(0, 2), id), randomBytes(20_000));
}

async function run(command: string, args: string[], env: Record<string, string>, input?: string) {
  const dataDir = path.join(folder, "data");
  const piped = input === undefined ? {} : { input };
  const done = await runCommand(command, args, { dataDir, env, ...piped });
  expect(existsSync(dataDir), "a data folder was created").toBe(false);
  return done;
}

const nameIn = ({ output }: { output: string }) => /registry-[0-9a-z-]+/.exec(output)?.[0] ?? "";

async function contents() {
  const found: Record<string, string> = {};
  for (const place of ["archives", "keys"])
    for (const file of await readdir(path.join(folder, place)).catch(() => []))
      found[`${place}/${file}`] = (await readFile(path.join(folder, place, file))).toString("hex");
  return found;
}

describe("the operator's commands for backups", { timeout: 180_000 }, () => {
  it("make, list, verify and restore backups of external stores", async () => {
    const source = stores(from);
    expect((await run("backup", ["list"], source)).output).toMatch(
      /^Archives: .*\/archives\nKeys: .*\/keys\nThere are no backups\.\n$/,
    );
    const made = await run("backup", [], source);
    expect(made, made.output).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Backup registry-\S+: \d+ events, 1 files\./),
    });
    first = nameIn(made);
    const scheduled = await run("backup", ["--scheduled"], source);
    expect(scheduled).toMatchObject({ code: 0 });
    const lines = (await run("backup", ["list"], source)).output.split("\n").slice(2, 4);
    const line = (name: string, by: string) =>
      new RegExp(
        `^${name}  20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC  [\\d.]+ kB  ${by}  opens with the current master key \\(version 1\\)$`,
      );
    expect(lines[0]).toMatch(line(first, "by hand"));
    expect(lines[1]).toMatch(line(nameIn(scheduled), "scheduled"));
    const verified = `The backup ${first} of `;
    expect(await run("backup", ["verify", first], source)).toMatchObject({
      code: 0,
      output: expect.stringContaining(verified),
    });
    // By its path, without a registry's variables.
    const archive = path.join(folder, "archives", `${first}.tar.zst`);
    const keys = path.join(folder, "keys", `${first}.tar.zst`);
    expect(
      await run("backup", ["verify", archive, "--keys", keys], { MASTER_KEY: MASTER }),
    ).toMatchObject({ code: 0, output: expect.stringContaining("It needs version 1") });

    expect(await run("restore", [first], source)).toEqual({
      code: 1,
      output: expect.stringContaining("The installation is not empty (keys)"),
    });
    const target = stores(to, "restored-files");
    expect(await run("restore", [first], target)).toMatchObject({
      code: 0,
      output: expect.stringContaining("Restored. All sessions have ended."),
    });
    const audited = await run("audit-verify", [], target);
    expect(audited.output).toMatch(/All \d+ events of \d+ streams are verified/);
    // It has no record of the places, but they are its own.
    expect(await run("backup", [], target)).toMatchObject({ code: 0 });
  });

  it("exit with 1 and one line if a setting is wrong, and write nothing", async () => {
    const before = await contents();
    const all = stores(from);
    const { DATABASE_URL: _, ...noDatabase } = all;
    const without = (name: keyof typeof all) => {
      const { [name]: _, ...others } = all;
      return others as Record<string, string>;
    };
    const wrong: readonly (readonly [Record<string, string>, string])[] = [
      [without("BACKUP_URL"), "BACKUP_URL is missing: npm run backup needs"],
      [without("BACKUP_KEYS_URL"), "BACKUP_KEYS_URL is missing"],
      [without("FILES_URL"), "FILES_URL is missing"],
      [without("MASTER_KEY"), "set the MASTER_KEY of its processes"],
      [noDatabase, "There is no registry in"],
      [{}, "There is no registry in"],
      [{ ...all, MASTER_KEY: NEXT }, "The data cannot be opened: the master key is not"],
      [{ ...all, MASTER_KEY: "short" }, "MASTER_KEY"],
      [{ ...all, FILES_URL: at("no-files") }, "1 of the 1 files that the log names are not in"],
      [{ ...all, DATABASE_URL: empty.url, KEYS_URL: from.url }, "DATABASE_URL holds no registry"],
      [{ ...all, KEYS_URL: empty.url }, "KEYS_URL holds no registry"],
      [{ ...all, EVENT_STORE_URL: empty.url }, "EVENT_STORE_URL holds no"],
      [{ ...all, BACKUP_KEYS_URL: at("archives") }, "must not be kept with the archive"],
    ];
    for (const [env, sentence] of wrong) {
      const { code, output } = await run("backup", [], env);
      expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
      expect(output.trim().split("\n"), output).toHaveLength(1);
    }
    expect(await contents()).toEqual(before);
  });

  it("accept a new place, or missing files, if the operator says so", async () => {
    const moved = { ...stores(from), BACKUP_URL: at("moved") };
    const made = await run("backup", ["--new-place"], moved);
    expect(made).toMatchObject({ code: 0 });
    expect(made.output).toContain("3 sets of keys but no archives of them");
    const lost = { ...stores(from), FILES_URL: at("no-files") };
    expect(await run("backup", ["--files-lost"], lost)).toMatchObject({ code: 0 });
  });

  it("run from the runbook's crontab line, with only its environment file", async () => {
    const runbook = await readFile(path.join(root, "docs/runbooks/backup.md"), "utf8");
    const [, line = ""] = /^ {4}0 2 \* \* \* (.+)$/m.exec(runbook) ?? [];
    const file = path.join(folder, "backup.env");
    const variables = Object.entries(stores(from)).map(([name, value]) => `${name}='${value}'\n`);
    await writeFile(file, variables.join(""));
    const command = line.replace("/srv/registry", root).replace("/etc/registry/backup.env", file);
    expect(command).toContain(root);
    expect(command).toContain(file);
    const env = { PATH: plainEnvironment().PATH, HOME: folder };
    const { code, output } = await shell("sh", command, env);
    expect(code, output).toBe(0);
    const listed = (await run("backup", ["list"], stores(from))).output;
    expect(listed).toMatch(new RegExp(`^${nameIn({ output })}  .*  scheduled  `, "m"));
  });

  it.skipIf(process.platform === "win32")(
    "leave nothing of a backup when the disk is full, and say so",
    async () => {
      const before = await contents();
      const env = { ...plainEnvironment(), ...stores(from) };
      // Files of this process cannot grow beyond four kilobytes.
      const script = `ulimit -f 4; exec "${process.execPath}" "${path.join(root, "ops/backup.ts")}"`;
      expect(await shell("bash", script, env)).toEqual({
        code: 1,
        output: expect.stringContaining("is full: free some space. No backup was made."),
      });
      expect(await contents()).toEqual(before);
    },
  );

  it("say which backups need the previous master key after a rotation, and open them with it", async () => {
    const both = { ...stores(from), MASTER_KEY: `${NEXT},${MASTER}` };
    const only = { ...stores(from), MASTER_KEY: NEXT };
    const rotated = await run("keys-rotate", [], both);
    expect(rotated, rotated.output).toMatchObject({ code: 0 });
    expect(rotated.output).toMatch(
      /\d of \d backups \(registry-\S+ to registry-\S+\) need a previous master key \(version 1\), and cannot be restored without it\. Keep it in a safe place\./,
    );
    expect(rotated.output).toContain("Delete it once npm run backup -- list shows no backup");

    expect(await run("backup", [], only)).toMatchObject({ code: 0 });
    const listed = async (env: Record<string, string>) =>
      (await run("backup", ["list"], env)).output;
    expect(await listed(only)).toMatch(
      new RegExp(`^${first} .*needs another master key \\(version 1\\)$`, "m"),
    );
    expect(await listed(both)).toMatch(
      new RegExp(`^${first} .*opens with a previous master key \\(version 1\\)$`, "m"),
    );
    expect(await listed(both)).toMatch(/opens with the current master key \(version 2\)$/m);
    expect(await run("backup", ["verify", first], both)).toMatchObject({ code: 0 });
    for (const [command, args] of [
      ["backup", ["verify", first]],
      ["restore", [first]],
    ] as const) {
      const refused = await run(command, [...args], { ...only, DATABASE_URL: empty.url });
      expect(refused).toEqual({
        code: 1,
        output: expect.stringContaining(
          `The archive ${path.join(folder, "archives", first)}.tar.zst needs version 1 of its registry's master key`,
        ),
      });
      expect(refused.output).not.toContain("changed");
    }
  });
});

function shell(program: string, script: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(program, ["-c", script], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}
