import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { childEnvironment } from "../config.ts";
import type { PostgresPrograms } from "./programs.ts";

/** Name of the superuser that owns everything in an embedded cluster. */
export const clusterUser = "registry";

/**
 * Tells a PostgreSQL program that its data is in its working directory, which is entered before the
 * change of user. So data below a folder that this user may not enter (a home with mode 0700) works,
 * and the length of the path does not matter.
 */
export function dataArgument(directory: string): string {
  return existsSync("/proc/self/cwd") ? "/proc/self/cwd" : directory;
}

/**
 * Creates a cluster in `directory`, which must not exist. It is built beside it and renamed when
 * complete, so an interrupted start leaves nothing that could be mistaken for a cluster.
 *
 * Aborting `signal` stops it and leaves nothing behind.
 *
 * Text sorts by code point on every machine (built-in provider, C.UTF-8), whatever its locales.
 */
export async function initialiseCluster(
  programs: PostgresPrograms,
  directory: string,
  options: { password: string; durable: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const staging = await mkdtemp(`${directory}.init-`);
  try {
    const data = path.join(staging, "data");
    const passwordFile = path.join(staging, "password");
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (programs.account) {
      const { uid, gid } = programs.account;
      for (const file of [staging, data, passwordFile]) await chown(file, uid, gid);
    }
    const initdb = (characterType: string) =>
      runInitdb(programs, data, options.signal, [
        `--pgdata=${dataArgument(data)}`,
        `--pwfile=${dataArgument(data)}/../password`,
        `--username=${clusterUser}`,
        `--auth=${options.durable ? "scram-sha-256" : "password"}`,
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${characterType}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        // Tests connect thousands of times and hash their password each time.
        ...(options.durable ? [] : ["--no-sync", "--set=scram_iterations=1"]),
      ]);
    // pg_trgm asks the C library what a letter is. Without C.UTF-8 it knows only Latin letters, so other
    // scripts are searched without an index.
    await initdb("C.UTF-8").catch((error: Error) => {
      if (!/invalid locale name/i.test(error.message)) throw error;
      return initdb("C");
    });
    await rename(data, directory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function runInitdb(
  programs: PostgresPrograms,
  cwd: string,
  signal: AbortSignal | undefined,
  args: string[],
): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(programs.initdb, args, {
      ...programs.account,
      cwd,
      env: childEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const endWithThisProcess = () => child.kill("SIGTERM");
    process.on("exit", endWithThisProcess);
    signal?.addEventListener("abort", endWithThisProcess);
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code, endedBy) => {
      process.off("exit", endWithThisProcess);
      signal?.removeEventListener("abort", endWithThisProcess);
      if (code === 0) resolve();
      else
        reject(new Error(`initdb ended with ${endedBy ?? code}: ${output.trim() || "no message"}`));
    });
  });
}

const run = promisify(execFile);

/** User and group that a child process runs under. */
export type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root. Returns the account for its processes if this process is root,
 * and undefined if they can run as the current user.
 *
 * An existing cluster keeps its owner. One owned by root (copied, restored from an archive) goes to the
 * account that a new one would get.
 *
 * @param cluster the cluster's folder; it need not exist.
 */
export async function postgresAccount(cluster?: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = cluster ? await lstat(cluster).catch(() => undefined) : undefined;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = await accountForNewCluster();
  if (cluster && owner) await giveTo(account, cluster);
  return account;
}

async function giveTo(account: Account, entry: string): Promise<void> {
  await lchown(entry, account.uid, account.gid);
  if (!(await lstat(entry)).isDirectory()) return;
  for (const name of await readdir(entry)) await giveTo(account, path.join(entry, name));
}

/** `initdb` looks up its user: an existing `postgres`, one created by `useradd`, or `nobody`. */
async function accountForNewCluster(): Promise<Account> {
  const existing = await lookUp("postgres");
  if (existing) return existing;
  try {
    await run("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--home-dir",
      "/nonexistent",
      "--shell",
      "/usr/sbin/nologin",
      "postgres",
    ]);
  } catch {
    // No useradd, or the user database is read-only: the lookup below decides.
  }
  const account = (await lookUp("postgres")) ?? (await lookUp("nobody"));
  if (!account)
    throw new Refusal(
      "PostgreSQL does not run as root, and this machine has neither a user `postgres` nor a way to add one. Start it as another user.",
    );
  return account;
}

async function lookUp(name: string): Promise<Account | undefined> {
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const line of passwd.split("\n")) {
    const [user, , uid, gid] = line.split(":");
    if (user === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
