import { execFile } from "node:child_process";
import { lchown, lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "#runtime/lifecycle/refusal.ts";

const run = promisify(execFile);

/** User and group that a child process runs under. */
export type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root. Returns the account for its processes if this process is root,
 * and undefined if they can run as the present user.
 *
 * An existing cluster keeps its owner. One that belongs to root (copied, restored from an archive)
 * is given to the account that a new one would have.
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

/**
 * `initdb` looks its user up by number, so the account needs an entry in the user database: an
 * existing `postgres`, else one created by `useradd`, else (no `useradd`, read-only `/etc`)
 * `nobody`.
 */
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
    // No useradd, or the user database is read-only: the look-up below decides.
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
