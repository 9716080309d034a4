import { randomBytes } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { errorCode, explainWriteError, Refusal } from "#runtime/lifecycle/refusal.ts";
import { parseMasterKey } from "#vault/keys/master-ring.ts";
import type { DataPaths } from "./data-folder.ts";
import { passwordsFrom, type RolePasswords } from "./migrate/roles.ts";

/** An instance's secrets, kept across starts. */
export type Secrets = {
  /** 32-byte master keys, the current one first. Reread from the file each time, to follow a rotation. */
  masterKeys: () => Promise<readonly Buffer[]>;
  /** Password of the embedded PostgreSQL's superuser. */
  databasePassword: string;
  /** Passwords of the services' roles in the embedded PostgreSQL. Each start sets them. */
  servicePasswords: RolePasswords;
};

/**
 * Reads a data folder's secrets. The first start creates missing ones. Later, a missing secret is not
 * replaced, because a new one would not open a database created with the old one.
 * @param given MASTER_KEY from the environment. It takes precedence, and no file is created then. Like the
 * file, it may hold previous keys after the current one while keys are being rotated.
 * @throws {Refusal} if a secret is missing, damaged or cannot be written.
 */
export async function openSecrets(
  paths: DataPaths,
  given: { masterKey: string | undefined },
): Promise<Secrets> {
  const firstStart = !(await lstat(paths.cluster).catch(() => undefined));
  try {
    const masterKeys = given.masterKey
      ? givenSecrets(given.masterKey).masterKeys
      : await masterKeyFile(paths.masterKey, firstStart);
    const databasePassword = await readOrMake(paths.databasePassword, firstStart, {
      make: () => randomBytes(24).toString("base64url"),
      remedy: "put it back",
    });
    // May be created later: it is missing after an upgrade, and each start sets the passwords from it.
    const serviceSecret = await readOrMake(paths.serviceSecret, true, {
      make: () => randomBytes(32).toString("base64url"),
      remedy: "put it back",
    });
    return { masterKeys, databasePassword, servicePasswords: passwordsFrom(serviceSecret) };
  } catch (error) {
    throw explainWriteError(error, paths.folder);
  }
}

/** Parses the master keys in MASTER_KEY. @throws {Refusal} if it holds none. */
export function givenSecrets(masterKey: string): Pick<Secrets, "masterKeys"> {
  return { masterKeys: constant(parseKeys(masterKey, "MASTER_KEY holds no master key")) };
}

/** Replaces the content of the master key file, the current key first. */
export async function writeMasterKeys(paths: DataPaths, keys: readonly Buffer[]): Promise<void> {
  await writeFileAtomically(paths.masterKey, linesOf(keys), 0o600);
}

/** Returns master keys replaced by a rotation, the newest first. Only backups need them. */
export async function previousMasterKeys({
  previousMasterKeys: file,
}: Pick<DataPaths, "previousMasterKeys">): Promise<readonly Buffer[]> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
  return text.trim() ? parseKeys(text, `The secret in ${file} is damaged: put it back`) : [];
}

/** Keeps a master key that is being replaced by a rotation. */
export async function keepPreviousKey(paths: DataPaths, key: Buffer): Promise<void> {
  const kept = await previousMasterKeys(paths);
  if (kept.some((each) => each.equals(key))) return;
  await writeFileAtomically(paths.previousMasterKeys, linesOf([key, ...kept]), 0o600);
}

const linesOf = (keys: readonly Buffer[]) =>
  keys.map((key) => `${key.toString("base64")}\n`).join("");

async function masterKeyFile(file: string, mayMake: boolean): Promise<Secrets["masterKeys"]> {
  const read = async () => {
    const text = await readOrMake(file, mayMake, {
      make: () => randomBytes(32).toString("base64"),
      remedy: masterKeyRemedy,
    });
    return parseKeys(text, `The secret in ${file} is damaged: ${masterKeyRemedy}`);
  };
  await read();
  return read;
}

function constant<T>(value: T): () => Promise<T> {
  return () => Promise.resolve(value);
}

const masterKeyRemedy = "put it back, or give the key in MASTER_KEY";

function parseKeys(text: string, complaint: string): Buffer[] {
  try {
    const [first = "", ...others] = text.split(/[\s,]+/).filter(Boolean);
    return [first, ...others].map(parseMasterKey);
  } catch (error) {
    throw new Refusal(`${complaint} (${(error as Error).message}).`);
  }
}

async function readOrMake(
  file: string,
  mayMake: boolean,
  kind: { make(): string; remedy: string },
): Promise<string> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
  if (text.trim() !== "") return text.trim();
  if (!mayMake)
    throw new Refusal(
      `The secret in ${file} is missing, and the database needs it: ${kind.remedy}.`,
    );
  const made = kind.make();
  await writeFileAtomically(file, `${made}\n`, 0o600);
  return made;
}
