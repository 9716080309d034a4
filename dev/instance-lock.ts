import { chmod, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeFileAtomically } from "./atomic-file.ts";
import { explainWriteError, Refusal } from "./refusal.ts";

/** The right to use a data folder, held until `release` or the end of this process. */
export type InstanceLock = { release(): Promise<void> };

const SQLITE_BUSY = 5;
const SQLITE_IO_ERROR = 10;
const SQLITE_CANNOT_OPEN = 14;

/**
 * Takes the data folder for this process. The lock is the operating system's own file lock, taken
 * through SQLite, which is the only way that Node offers to it without a native add-on: it goes
 * with the process that holds it, however that ends, so there is no stale lock to recognise and a
 * reused process id cannot be mistaken for its holder.
 *
 * @throws {Refusal} another process holds it, or the file system has no locks.
 */
export async function takeInstanceLock(folder: string): Promise<InstanceLock> {
  const file = path.join(folder, "instance.lock");
  const holderFile = path.join(folder, "instance.pid");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("pragma journal_mode = memory");
    database.exec("begin exclusive");
  } catch (error) {
    database?.close();
    throw await explainLockError(error, folder, holderFile);
  }
  const held = database;
  try {
    // For the message above only; nothing is decided by it.
    await chmod(file, 0o600);
    await writeFileAtomically(holderFile, `${process.pid}\n`, 0o600);
  } catch (error) {
    held.close();
    throw explainWriteError(error, folder);
  }
  return {
    async release() {
      await rm(holderFile, { force: true });
      held.close();
    },
  };
}

async function explainLockError(
  error: unknown,
  folder: string,
  holderFile: string,
): Promise<unknown> {
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  if (code === SQLITE_BUSY) {
    const pid = (await readFile(holderFile, "utf8").catch(() => "")).trim();
    return new FolderInUse(folder, pid);
  }
  if (code === SQLITE_IO_ERROR)
    return new Refusal(
      `The file system of the data folder ${folder} has no locks: name a folder on a local disk in DATA_DIR.`,
    );
  if (code === SQLITE_CANNOT_OPEN)
    return explainWriteError(Object.assign(new Error(), { code: "EACCES" }), folder);
  return explainWriteError(error, folder);
}

/** The data folder belongs to another running process. */
export class FolderInUse extends Refusal {
  override name = "FolderInUse";

  constructor(folder: string, pid: string) {
    super(
      `The data folder ${folder} is in use by another instance${pid ? ` (process ${pid})` : ""}: stop that one, or name another folder in DATA_DIR.`,
    );
  }
}
