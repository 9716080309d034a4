import { chmod, lstat, mkdir, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { errorCode, explainWriteError, Refusal } from "#runtime/lifecycle/refusal.ts";

/** Incremented whenever an older launcher could damage data written by a newer one. */
export const layoutVersion = 1;

/** An empty cluster takes about 40 MB, and its first write-ahead log another 16 MB. */
const bytesForFirstStart = 128 * 1024 * 1024;
const bytesForLaterStart = 32 * 1024 * 1024;

/** Paths of everything an instance stores. */
export type DataPaths = {
  folder: string;
  cluster: string;
  postgresLog: string;
  log: string;
  masterKey: string;
  /** Replaced master keys, for backups that still need them. */
  previousMasterKeys: string;
  databasePassword: string;
  serviceSecret: string;
  firstAdmin: string;
  mail: string;
  files: string;
  erasures: string;
  backups: string;
  /** Keys of the backups, stored separately. */
  backupKeys: string;
};

export function dataPaths(folder: string): DataPaths {
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    cluster: at("postgres"),
    postgresLog: at("postgres.log"),
    log: at("registry.log"),
    masterKey: at("master-key"),
    previousMasterKeys: at("previous-master-keys"),
    databasePassword: at("database-password"),
    serviceSecret: at("service-secret"),
    firstAdmin: at("first-admin"),
    mail: at("mail"),
    files: at("files"),
    erasures: at("erasures"),
    backups: at("backups"),
    backupKeys: at("backup-keys"),
  };
}

/** A data folder locked by this process. */
export type DataFolder = DataPaths & InstanceLock;

/**
 * Creates or opens the data folder and locks it for this process. An existing folder is not changed
 * until it is certain that this version may use it.
 *
 * @param waitMs how long to wait for another instance that may be stopping.
 * @param onWait called once if it has to wait.
 * @throws {Refusal} if the folder is in use, not writable, out of space, or of a newer version.
 */
export async function openDataFolder(
  folder: string,
  waitMs: number,
  onWait?: () => void,
): Promise<DataFolder> {
  const paths = dataPaths(folder);
  try {
    await makePrivateFolder(folder);
    await checkLayout(folder);
    await checkRoom(paths);
  } catch (error) {
    throw explainWriteError(error, folder);
  }
  const lock = await takeInstanceLock(folder, waitMs, onWait);
  try {
    await writeLayout(folder);
    await removeTornFiles(folder);
    for (const part of [paths.mail, paths.files])
      await mkdir(part, { recursive: true, mode: 0o700 });
  } catch (error) {
    await lock.release();
    throw explainWriteError(error, folder);
  }
  return { ...paths, ...lock };
}

async function makePrivateFolder(folder: string): Promise<void> {
  const existed = await stat(folder).catch(() => undefined);
  if (existed && !existed.isDirectory())
    throw Object.assign(new Error(`${folder} is a file`), { code: "EEXIST" });
  if (!existed) await makeFolder(folder, 0o700);
  else if ((existed.mode & 0o077) !== 0 && process.platform !== "win32") await chmod(folder, 0o700);
}

/** Recursive `mkdir` never returns if the system rejects new folders with ENOENT, as in /proc. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const parent = path.dirname(folder);
    if (errorCode(error) === "EEXIST") return;
    if (errorCode(error) !== "ENOENT" || (await stat(parent).catch(() => undefined))) throw error;
    await makeFolder(parent, 0o755);
    await mkdir(folder, { mode });
  }
}

async function checkLayout(folder: string): Promise<void> {
  const text = await readFile(layoutFile(folder), "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return;
  const found = Number(text.trim());
  if (!Number.isInteger(found) || found < 1)
    throw new Refusal(
      `The data folder ${folder} has an invalid version ${JSON.stringify(text.trim().slice(0, 20))}: does it belong to this program?`,
    );
  if (found > layoutVersion)
    throw new Refusal(
      `The data folder ${folder} was written by a newer version of this program (layout ${found}, this one knows ${layoutVersion}): use that version.`,
    );
}

async function checkRoom(paths: DataPaths): Promise<void> {
  const { bavail, bsize } = await statfs(paths.folder);
  const hasCluster = await lstat(paths.cluster).catch(() => undefined);
  const needed = hasCluster ? bytesForLaterStart : bytesForFirstStart;
  if (bavail * bsize < needed)
    throw Object.assign(new Error("too little room"), { code: "ENOSPC" });
}

async function writeLayout(folder: string): Promise<void> {
  const present = await readFile(layoutFile(folder), "utf8").catch(() => "");
  if (present.trim() !== String(layoutVersion))
    await writeFileAtomically(layoutFile(folder), `${layoutVersion}\n`, 0o600);
}

/** Removes files that a killed start left unfinished. Nothing refers to them. */
async function removeTornFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/\.tmp-\d+$/.test(name)) await rm(path.join(folder, name), { force: true });
}

function layoutFile(folder: string): string {
  return path.join(folder, "layout-version");
}

/** The lock on a data folder, held until `release` or the end of this process. */
type InstanceLock = {
  /** Tells the next instance that this one is stopping, so that it waits longer. */
  announceStop(): Promise<void>;
  release(): Promise<void>;
};

const SQLITE_BUSY = 5;
const SQLITE_IO_ERROR = 10;
const SQLITE_CANNOT_OPEN = 14;

/** Longer than an instance needs to stop. */
const stoppingWaitMs = 12_000;

/**
 * Locks the data folder for this process with a file lock of the operating system, which Node offers
 * only through SQLite unless a native add-on is installed. The system releases the lock when the process
 * ends, however it ends. So there are no stale locks to detect, and a reused process ID cannot be
 * mistaken for the holder.
 *
 * @param waitMs how long to wait for a holder that may be stopping. A holder that announced its stop is
 * always waited for.
 * @param onWait called once if it has to wait.
 * @throws {FolderInUse} if another process holds the lock.
 * @throws {Refusal} if the folder is not writable, or its file system has no locks.
 */
async function takeInstanceLock(
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
    // The note only affects how long another instance waits. The lock does not depend on it.
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

/** Opens the database that holds the lock; undefined if another process holds it. */
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
      `The data folder ${folder} is in use by another instance${pid ? ` (process ${pid})` : ""}: stop that one, or choose another folder with DATA_DIR.`,
    );
  }
}
