import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { childEnvironment } from "../config.ts";
import type { PostgresPrograms } from "./programs.ts";

/** Name of the superuser that owns everything in an embedded cluster. */
export const clusterUser = "registry";

/**
 * Tells a PostgreSQL program where its data is: in its working directory. That is entered before
 * the change of user, so data below a folder that this user may not enter (a home with mode 0700)
 * works, and the length of the path does not matter.
 */
export function dataArgument(directory: string): string {
  return existsSync("/proc/self/cwd") ? "/proc/self/cwd" : directory;
}

/**
 * Creates a new cluster in `directory`, which must not exist. It is created beside it and renamed
 * when complete, so a start that dies halfway leaves nothing that could be taken for a cluster.
 *
 * Aborting `signal` stops it and leaves nothing behind.
 *
 * Texts sort by code point on every machine (built-in provider, C.UTF-8), whatever locales it has.
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
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${characterType}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        ...(options.durable ? [] : ["--no-sync"]),
      ]);
    // pg_trgm asks the C library what a letter is. Without C.UTF-8 it knows only Latin letters, so
    // texts in other scripts are found without the help of an index.
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
