import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { plainEnvironment } from "./support/config.ts";
import { runCommand } from "./support/registry.ts";

const root = path.resolve(import.meta.dirname, "..");

let folder: string;
let from: TestDatabase;
let to: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-backup-command-"));
  await writeFile(path.join(folder, "master-key"), `${"ab".repeat(32)}\n`);
  [from, to] = await Promise.all([freshDatabase(), freshDatabase()]);
}, 60_000);
afterAll(async () => {
  await from.drop();
  await to.drop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => `file://${folder}/${name}`;
const stores = ({ url }: TestDatabase, files: string) => ({
  DATABASE_URL: url,
  MASTER_KEY_FILE: path.join(folder, "master-key"),
  FILES_URL: at(files),
  ERASURES_URL: at("erasures"),
  BACKUP_URL: at("archives"),
  BACKUP_KEYS_URL: at("keys"),
  BACKUP_KEEP: "2",
});

async function run(command: string, args: string[], env: Record<string, string>, input?: string) {
  const dataDir = path.join(folder, "data");
  const piped = input === undefined ? {} : { input };
  const done = await runCommand(command, args, { dataDir, env, ...piped });
  expect(existsSync(dataDir), "a data folder was made").toBe(false);
  return done;
}

describe("the operator's commands for backups", { timeout: 120_000 }, () => {
  it("make, list, verify, rotate and restore backups of stores elsewhere", async () => {
    const source = stores(from, "files");
    const account = ["--role", "admin", "--email", "ann@b.example", "--password-stdin"];
    expect(await run("account-add", account, source, "Correct-horse-9\n")).toMatchObject({
      code: 0,
    });
    // Creates the tables of the projector.
    expect(await run("rebuild", ["all"], source)).toMatchObject({ code: 0 });

    expect(await run("backup", ["list"], source)).toEqual({
      code: 0,
      output: "There are no backups.\n",
    });
    const made = await run("backup", [], source);
    expect(made).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Backup registry-\S+: \d+ events, 0 files\./),
    });
    const name = /registry-[0-9a-z-]+/.exec(made.output)?.[0] ?? "";
    expect((await run("backup", ["list"], source)).output).toMatch(
      new RegExp(`^${name}  [\\d.]+ \\w+\n$`),
    );
    expect(await run("backup", ["verify", name], source)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`The backup ${name} of `),
    });

    const full = await run("restore", [name], source);
    expect(full).toEqual({
      code: 1,
      output: expect.stringContaining("The installation is not empty (keys)"),
    });
    const target = stores(to, "restored-files");
    const restored = await run("restore", [name], target);
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringContaining("The restore is done."),
    });
    const verified = await run("audit-verify", [], target);
    expect(verified.output).toMatch(/All \d+ events of \d+ streams are verified/);
    expect(verified).toMatchObject({ code: 0 });

    const oldest = "registry-2026-01-02t02-00-00-000z";
    for (const day of [oldest, "registry-2026-01-03t02-00-00-000z"])
      for (const place of ["archives", "keys"].map((each) => path.join(folder, each)))
        await copyFile(`${place}/${name}.tar.zst`, `${place}/${day}.tar.zst`);
    for (let more = 0; more < 2; more += 1)
      expect(await run("backup", [], source)).toMatchObject({ code: 0 });
    // The first of its day, and more than two days are not kept.
    const listed = (await run("backup", ["list"], source)).output;
    expect(listed).toContain(name);
    expect(listed).not.toContain(oldest);
    expect(await readdir(path.join(folder, "keys"))).not.toContain(`${oldest}.tar.zst`);
    expect(await run("backup", ["verify", oldest], source)).toEqual({
      code: 1,
      output: expect.stringContaining("There is no archive"),
    });
  });

  it.skipIf(process.platform === "win32")(
    "leave nothing of a backup for which there is no room, and say so",
    async () => {
      const keys = await readdir(path.join(folder, "keys"));
      const env = { ...plainEnvironment(), ...stores(from, "files"), BACKUP_URL: at("full") };
      await mkdir(path.join(folder, "files", "ab"), { recursive: true });
      await writeFile(path.join(folder, "files", "ab", "abc"), randomBytes(20_000));
      const done = await new Promise<{ code: unknown; output: string }>((resolve) => {
        // Files of this process cannot grow beyond four kilobytes.
        const script = `ulimit -f 4; exec "${process.execPath}" "${path.join(root, "ops/backup.ts")}"`;
        execFile("bash", ["-c", script], { env }, (error, stdout, stderr) =>
          resolve({ code: error ? error.code : 0, output: stdout + stderr }),
        );
      });
      expect(done).toEqual({
        code: 1,
        output: expect.stringContaining("is full: make room. No backup was made."),
      });
      const left = await readdir(path.join(folder, "full")).catch(() => []);
      expect(left).toEqual([]);
      expect(await readdir(path.join(folder, "keys"))).toEqual(keys);
    },
  );
});
