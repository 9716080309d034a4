import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresAccount } from "./cluster.ts";
import {
  type ClusterPaths,
  clusterProcesses,
  databaseName,
  endLeftovers,
  openEmbeddedPostgres,
} from "./open.ts";
import { findPackage, preparePrograms } from "./programs.ts";
import { readPostmaster } from "./server.ts";

const isRoot = process.getuid?.() === 0;
const onlyRoot = "only root runs PostgreSQL under another account";
const password = "a long enough password";

const clusterPaths = (folder: string): ClusterPaths => ({
  folder,
  cluster: path.join(folder, "postgres"),
  postgresLog: path.join(folder, "postgres.log"),
});

let scratch: string;
let paths: ClusterPaths;
const children: ChildProcess[] = [];

beforeEach(async () => {
  // Like a home directory, which no other user may enter.
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-embedded-"));
  await chmod(scratch, 0o700);
  const folder = path.join(scratch, "x".repeat(120), "data");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  paths = clusterPaths(folder);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await endLeftovers(paths.cluster);
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

const open = (lines: string[] = []) => openEmbeddedPostgres(paths, password, (l) => lines.push(l));

async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts another launcher that opens the cluster and stays. Killing it leaves PostgreSQL running. */
async function openInAnotherProcess(): Promise<ChildProcess> {
  const script = `
    const { openEmbeddedPostgres } = await import(${JSON.stringify(import.meta.resolve("./open.ts"))});
    const paths = JSON.parse(process.argv[1]);
    await openEmbeddedPostgres(paths, process.argv[2], () => {});
    console.log("open");
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", script, JSON.stringify(paths), password],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  return child;
}

describe("embedded PostgreSQL", () => {
  it("runs in a deep folder that its user may not enter, on loopback and with a password", async () => {
    const server = await open();
    const url = server.url(databaseName);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await query(url, "show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    expect(await query(url, "show unix_socket_directories")).toEqual([
      { unix_socket_directories: "" },
    ]);
    await expect(query(url.replace(/:[^:@]+@/, ":wrong@"), "select 1")).rejects.toThrow(
      /password authentication failed/,
    );
    await server.stop();
  });

  it("keeps its data across a stop, a kill of the server and a moved folder", async () => {
    let server = await open();
    await query(server.url(databaseName), "create table t (n int)");
    await query(server.url(databaseName), "insert into t values (1)");
    await server.stop();
    const moved = path.join(scratch, "moved");
    await rename(paths.folder, moved);
    paths = clusterPaths(moved);
    server = await open();
    await query(server.url(databaseName), "insert into t values (2)");
    await server.kill();
    server = await open();
    expect(await query(server.url(databaseName), "select n from t order by n")).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
    await server.stop();
  });

  it("restarts when a killed launcher left a server running", async () => {
    const launcher = await openInAnotherProcess();
    const { pid: left = 0 } = await readPostmaster(paths.cluster);
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    expect(await clusterProcesses(paths.cluster)).toContain(left);
    const lines: string[] = [];
    const server = await open(lines);
    expect(lines).toContain("ended a PostgreSQL server that an earlier start had left running");
    expect(server.pid).not.toBe(left);
    expect(await clusterProcesses(paths.cluster)).not.toContain(left);
    await server.stop();
  });

  it("leaves alone a program that reused a dead server's process ID", async () => {
    const server = await open();
    await server.stop();
    const bystander = spawn("sleep", ["600"], { ...(await postgresAccount(paths.cluster)) });
    children.push(bystander);
    await writeFile(
      path.join(paths.cluster, "postmaster.pid"),
      `${bystander.pid}\n${paths.cluster}\n1700000000\n5432\n\n127.0.0.1\n  1234  5678\nready   \n`,
    );
    const again = await open();
    await again.stop();
    expect(bystander.exitCode).toBeNull();
    expect(bystander.signalCode).toBeNull();
  });

  it("leaves alone a server of another data folder", async () => {
    const server = await open();
    const elsewhere = clusterPaths(path.join(scratch, "elsewhere"));
    await mkdir(elsewhere.cluster, { recursive: true });
    await cp(
      path.join(paths.cluster, "postmaster.pid"),
      path.join(elsewhere.cluster, "postmaster.pid"),
    );
    expect(await endLeftovers(elsewhere.cluster)).toBe(0);
    expect(await query(server.url(), "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it("removes the remains of a killed first start and starts over", async () => {
    const launcher = openInAnotherProcess().catch(() => undefined);
    while (!(await readdir(paths.folder)).some((name) => name.startsWith("postgres.init-")))
      await delay(5);
    children.at(-1)?.kill("SIGKILL");
    await Promise.race([launcher, once(children.at(-1) as ChildProcess, "exit")]);
    expect(await readdir(paths.folder)).not.toContain("postgres");
    const server = await open();
    expect((await readdir(paths.folder)).filter((name) => name.includes(".init-"))).toEqual([]);
    await server.stop();
  });

  it("reports that its own process is gone", async () => {
    const server = await open();
    process.kill(server.pid, "SIGKILL");
    expect(await server.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("rejects files of another major version", async () => {
    await mkdir(paths.cluster);
    await writeFile(path.join(paths.cluster, "PG_VERSION"), "17\n");
    await expect(open()).rejects.toThrow(/was written by PostgreSQL 17, and this program runs 18/);
  });

  it("logs no client statement and none of its values", async () => {
    const server = await open();
    const url = server.url(databaseName);
    await query(url, "create table t (email text primary key)");
    await query(url, "insert into t values ('canary@example.net')");
    await expect(query(url, "insert into t values ('canary@example.net')")).rejects.toThrow(
      /duplicate key/,
    );
    await expect(query(url, "select 'canary@example.net'::int")).rejects.toThrow(/invalid input/);
    await server.stop();
    expect(await readFile(paths.postgresLog, "utf8")).not.toContain("canary");
  });

  it("keeps a cluster's owner, and hands over one owned by root", async (context) => {
    if (!isRoot) context.skip("only root can give a cluster away");
    let server = await open();
    await server.stop();
    const { uid } = await lstat(paths.cluster);
    expect(uid).not.toBe(0);
    await chown(paths.cluster, 0, 0);
    await chown(path.join(paths.cluster, "PG_VERSION"), 0, 0);
    server = await open();
    expect((await lstat(path.join(paths.cluster, "PG_VERSION"))).uid).toBe(uid);
    await server.stop();
  });
});

describe("PostgreSQL's programs", () => {
  async function installWithoutScripts(): Promise<string> {
    const copy = path.join(scratch, "package");
    await cp(findPackage(), copy, {
      recursive: true,
      filter: async (source) => !(await lstat(source)).isSymbolicLink() && !source.endsWith(".a"),
    });
    for (const name of ["postgres", "initdb"])
      await chmod(path.join(copy, "native/bin", name), 0o644);
    return copy;
  }

  it("work after an install without scripts, in place if they can be reached", async () => {
    const packageDir = await installWithoutScripts();
    await chmod(scratch, 0o755);
    const programs = await preparePrograms(await postgresAccount(), { packageDir, places: [] });
    expect(programs.postgres.startsWith(packageDir)).toBe(true);
  });

  it("are copied once if their user cannot reach them", async ({ skip }) => {
    skip(!isRoot, onlyRoot);
    const packageDir = await installWithoutScripts();
    const account = await postgresAccount();
    await expect(preparePrograms(account, { packageDir, places: [] })).rejects.toThrow(
      /programs do not run on this machine: .*EACCES/,
    );
    const place = await mkdtemp(path.join(os.tmpdir(), "registry-copies-"));
    try {
      const options = { packageDir, places: [path.join(scratch, "unreachable"), place] };
      const first = await preparePrograms(account, options);
      expect(first.postgres.startsWith(place)).toBe(true);
      const made = await lstat(first.postgres);
      const second = await preparePrograms(account, options);
      expect((await lstat(second.postgres)).ino).toBe(made.ino);
      expect((await readdir(place)).length).toBe(1);
    } finally {
      await rm(place, { recursive: true });
    }
  });

  it("can be from another PostgreSQL installation, which writes the same data folder", async () => {
    const bin = path.join(findPackage(), "native/bin");
    const own = await open();
    await own.stop();
    const other = await openEmbeddedPostgres(paths, password, () => undefined, { bin });
    expect(await query(other.url(databaseName), "select 1 as one")).toEqual([{ one: 1 }]);
    await other.stop();
  });

  it("are rejected in one sentence if the folder has none, or too old ones", async () => {
    const bin = path.join(scratch, "bin");
    await mkdir(bin);
    await chmod(scratch, 0o755);
    const use = () => openEmbeddedPostgres(paths, password, () => undefined, { bin });
    await expect(use()).rejects.toThrow(/POSTGRES_BIN: PostgreSQL's programs in .*bin do not run/);
    for (const name of ["postgres", "initdb"])
      await writeFile(
        path.join(bin, name),
        `#!/bin/sh\necho "${name} (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"\n`,
        { mode: 0o755 },
      );
    await expect(use()).rejects.toThrow(/has PostgreSQL 15\.18, and 17 or newer is needed/);
  });

  it("never run from a folder that others can write to", async ({ skip }) => {
    skip(!isRoot, onlyRoot);
    const packageDir = await installWithoutScripts();
    const place = await mkdtemp(path.join(os.tmpdir(), "registry-copies-"));
    try {
      await chmod(place, 0o777);
      await expect(
        preparePrograms(await postgresAccount(), { packageDir, places: [place] }),
      ).rejects.toThrow(/belongs to another user/);
    } finally {
      await rm(place, { recursive: true });
    }
  });
});
