import { chmod, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { explainWriteError, Refusal } from "#runtime/lifecycle/refusal.ts";

/** The right to use a data folder, held until `release` or the end of this process. */
export type InstanceLock = {
  /** Tells the next instance that this one is stopping, so that it waits longer. */
  announceStop(): Promise<void>;
  release(): Promise<void>;
};

const SQLITE_BUSY = 5;
const SQLITE_IO_ERROR = 10;
const SQLITE_CANNOT_OPEN = 14;

/** Longer than an instance takes to stop. */
const stoppingWaitMs = 12_000;

/**
 * Locks the data folder for this process with a file lock of the operating system. Node offers one
 * only through SQLite, unless a native add-on is installed. The system releases the lock when the
 * process ends, however it ends. So there are no stale locks to detect, and a reused process id
 * cannot be mistaken for the holder.
 *
 * @param waitMs how long to wait for a holder that may be stopping. A holder that announced its
 *   stop is always waited for.
 * @param onWait called once if it has to wait.
 * @throws {FolderInUse} when another process holds the lock.
 * @throws {Refusal} when the folder is not writable, or its file system has no locks.
 */
export async function takeInstanceLock(
  folder: string,
  waitMs: number,
  onWait: () => void = () => {},
): Promise<InstanceLock> {
  const holderFile = path.join(folder, "instance.pid");
  const started = Date.now();
  let held = await tryLock(folder);
  let told = false;
  while (!held) {
    const holder = await readFile(holderFile, "utf8").catch(() => "");
    const limitMs = holder.includes("stopping") ? stoppingWaitMs : waitMs;
    if (Date.now() - started >= limitMs)
      throw new FolderInUse(folder, Number.parseInt(holder, 10) || undefined);
    if (!told) onWait();
    told = true;
    await delay(100);
    held = await tryLock(folder);
  }
  const database = held;
  const note = (text: string) => writeFileAtomically(holderFile, `${text}\n`, 0o600);
  try {
    // The note only affects how long another instance waits. The lock itself does not depend on it.
    await note(String(process.pid));
  } catch (error) {
    database.close();
    throw explainWriteError(error, folder);
  }
  return {
    announceStop: () => note(`${process.pid} stopping`).catch(() => undefined),
    async release() {
      await rm(holderFile, { force: true });
      database.close();
    },
  };
}

/** The open database that holds the lock; undefined when another process holds it. */
async function tryLock(folder: string): Promise<DatabaseSync | undefined> {
  const file = path.join(folder, "instance.lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("pragma journal_mode = memory");
    database.exec("begin exclusive");
    await chmod(file, 0o600);
    return database;
  } catch (error) {
    database?.close();
    switch (((error as { errcode?: number }).errcode ?? 0) & 0xff) {
      case SQLITE_BUSY:
        return undefined;
      case SQLITE_IO_ERROR:
        throw new Refusal(
          `The file system of the data folder ${folder} does not support locks: set DATA_DIR to a folder on a local disk.`,
        );
      case SQLITE_CANNOT_OPEN:
        throw explainWriteError(Object.assign(new Error(), { code: "EACCES" }), folder);
    }
    throw explainWriteError(error, folder);
  }
}

/** Another running process uses the data folder. */
export class FolderInUse extends Refusal {
  override name = "FolderInUse";

  constructor(folder: string, pid: number | undefined) {
    super(
      `The data folder ${folder} is in use by another instance${pid ? ` (process ${pid})` : ""}: stop that one, or set DATA_DIR to another folder.`,
    );
  }
}
