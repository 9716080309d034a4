import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataPaths, layoutVersion, openDataFolder } from "./data-folder.ts";
import { openSecrets, writeMasterKeys } from "./secrets.ts";

let scratch: string;
let folder: string;

beforeEach(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-data-"));
  folder = path.join(scratch, "nested", "data");
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

/** Starts a process that locks the folder, reports it, and holds the lock until it is killed. */
async function holdInAnotherProcess() {
  const script = `
    const { openDataFolder } = await import(${JSON.stringify(import.meta.resolve("./data-folder.ts"))});
    await openDataFolder(${JSON.stringify(folder)}, 0);
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

describe("the data folder", () => {
  it("is created with its parents, for this user only", async () => {
    const data = await openDataFolder(folder, 0);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await readdir(folder)).sort()).toEqual(
      ["files", "instance.lock", "instance.pid", "layout-version", "mail"].sort(),
    );
    await data.release();
  });

  it("is closed to other users if it was open", async () => {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await (await openDataFolder(folder, 0)).release();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("belongs to one process at a time; a second one is told which", async () => {
    const holder = await holdInAnotherProcess();
    try {
      await expect(openDataFolder(folder, 0)).rejects.toThrow(
        `The data folder ${folder} is in use by another instance (process ${holder.pid}): stop that one, or choose another folder with DATA_DIR.`,
      );
    } finally {
      holder.kill("SIGKILL");
      await once(holder, "exit");
    }
  });

  it("of an instance that is stopping is waited for", async () => {
    const first = await openDataFolder(folder, 0);
    await first.announceStop();
    const waits = Promise.withResolvers<void>();
    const second = openDataFolder(folder, 0, waits.resolve);
    await waits.promise;
    await first.release();
    await (await second).release();
  });

  it("is free immediately after its holder was killed, even if its process ID was reused", async () => {
    const holder = await holdInAnotherProcess();
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await writeFile(path.join(folder, "instance.pid"), `${process.ppid}\n`);
    const data = await openDataFolder(folder, 0);
    expect(await readFile(path.join(folder, "instance.pid"), "utf8")).toBe(`${process.pid}\n`);
    await data.release();
  });

  it("can be locked again after its release", async () => {
    await (await openDataFolder(folder, 0)).release();
    await (await openDataFolder(folder, 0)).release();
  });

  it("of a newer version is left unchanged", async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, "layout-version"), `${layoutVersion + 1}\n`);
    await expect(openDataFolder(folder, 0)).rejects.toThrow(
      /was written by a newer version of this program \(layout 2, this one knows 1\)/,
    );
    expect(await readdir(folder)).toEqual(["layout-version"]);
  });

  it("with an unreadable version is left unchanged", async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, "layout-version"), "next\n");
    await expect(openDataFolder(folder, 0)).rejects.toThrow(/has an invalid version "next"/);
  });

  it("cannot be created at a file's path, or below one", async () => {
    await writeFile(path.join(scratch, "file"), "");
    for (const place of ["file", "file/data"])
      await expect(openDataFolder(path.join(scratch, place), 0)).rejects.toThrow(
        /can't be created because a file with that name exists/,
      );
  });

  it("is rejected if its file system allows no folders", async ({ skip }) => {
    skip(process.platform !== "linux", "/proc and /sys are Linux's");
    await expect(openDataFolder("/proc/registry/data", 0)).rejects.toThrow(
      /can't be created there: choose another folder with DATA_DIR/,
    );
    await expect(openDataFolder("/sys/registry", 0)).rejects.toThrow(/cannot be written to/);
  });

  it("is cleared of files that a killed start left unfinished, and of nothing else", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "master-key.tmp-1234"), "half");
    await writeFile(path.join(folder, "notes.txt"), "mine");
    await (await openDataFolder(folder, 0)).release();
    expect(await readdir(folder)).not.toContain("master-key.tmp-1234");
    expect(await readdir(folder)).toContain("notes.txt");
  });
});

describe("the secrets of a data folder", () => {
  it("are created once, distinct, and readable by this user only", async () => {
    await mkdir(folder, { recursive: true });
    const paths = dataPaths(folder);
    const made = await openSecrets(paths, { masterKey: undefined });
    const keys = await made.masterKeys();
    expect(keys.map((key) => key.length)).toEqual([32]);
    const again = await openSecrets(paths, { masterKey: undefined });
    expect(await again.masterKeys()).toEqual(keys);
    expect(again.databasePassword).toBe(made.databasePassword);
    for (const file of [paths.masterKey, paths.databasePassword])
      expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("do not include the master key if the environment sets one", async () => {
    await mkdir(folder, { recursive: true });
    const paths = dataPaths(folder);
    const [current, former] = ["11", "22"].map((byte) => byte.repeat(32));
    const { masterKeys } = await openSecrets(paths, { masterKey: `${current},${former}` });
    expect((await masterKeys()).map((key) => key.toString("hex"))).toEqual([current, former]);
    expect(await readdir(folder)).not.toContain("master-key");
  });

  it("follow a rotation of the master key while the system runs", async () => {
    await mkdir(folder, { recursive: true });
    const paths = dataPaths(folder);
    const { masterKeys } = await openSecrets(paths, { masterKey: undefined });
    const [former] = await masterKeys();
    const wanted = Buffer.alloc(32, 7);
    await writeMasterKeys(paths, [wanted, former as Buffer]);
    expect(await masterKeys()).toEqual([wanted, former]);
    expect((await stat(paths.masterKey)).mode & 0o777).toBe(0o600);
  });

  it("are never recreated beside a database that needs the old ones", async () => {
    const paths = dataPaths(folder);
    await mkdir(paths.cluster, { recursive: true });
    await expect(openSecrets(paths, { masterKey: undefined })).rejects.toThrow(
      /master-key is missing, and the database needs it: put it back, or give the key in MASTER_KEY/,
    );
    expect(await readdir(folder)).toEqual(["postgres"]);
  });

  it("are rejected if damaged", async () => {
    await mkdir(folder, { recursive: true });
    const paths = dataPaths(folder);
    await writeFile(paths.masterKey, "c2hvcnQ=\n");
    await expect(openSecrets(paths, { masterKey: undefined })).rejects.toThrow(/is damaged/);
    await expect(openSecrets(paths, { masterKey: "short" })).rejects.toThrow(
      /^MASTER_KEY holds no master key \(.*\)\.$/,
    );
  });
});
