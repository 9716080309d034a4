import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** User and group that a child process runs under. */
export type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root. Returns the account its processes run under when this process
 * is root, and undefined when they can simply run as the present user.
 *
 * `initdb` looks its user up by number, so the account needs an entry in the user database: an
 * existing `postgres`, else one made by `useradd`, else (no `useradd`, read-only `/etc`) `nobody`.
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
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
    // No useradd, or the user database cannot be written: the look-up below decides.
  }
  const account = (await lookUp("postgres")) ?? (await lookUp("nobody"));
  if (!account)
    throw new Error(
      "PostgreSQL does not run as root, and this machine has neither a user `postgres` nor a way to add one. Start as another user.",
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
