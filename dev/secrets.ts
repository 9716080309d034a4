import { randomBytes } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { writeFileAtomically } from "./atomic-file.ts";
import type { DataPaths } from "./data-folder.ts";
import { explainWriteError, Refusal } from "./refusal.ts";

/** What an instance must keep to itself, and to the next start. */
export type Secrets = {
  /** 32 bytes in base64: wraps the keys of personal data. */
  masterKey: string;
  /** Password of the embedded PostgreSQL's only role. */
  databasePassword: string;
};

/**
 * Reads the secrets of a data folder, making what the first start lacks. A secret is never made
 * anew beside a database that was made with an older one, since it would not open it.
 *
 * @param given MASTER_KEY of the environment; it wins, and then no file is made.
 * @throws {Refusal} a secret is missing, damaged or cannot be written.
 */
export async function openSecrets(
  paths: DataPaths,
  given: { masterKey: string | undefined },
): Promise<Secrets> {
  const firstStart = !(await lstat(paths.cluster).catch(() => undefined));
  try {
    return {
      masterKey:
        given.masterKey ??
        (await readOrMake(paths.masterKey, firstStart, {
          make: () => randomBytes(32).toString("base64"),
          isWhole: (text) => Buffer.from(text, "base64").length === 32,
          remedy: "put it back, or give the key in MASTER_KEY",
        })),
      databasePassword: await readOrMake(paths.databasePassword, firstStart, {
        make: () => randomBytes(24).toString("base64url"),
        isWhole: (text) => text.length >= 16,
        remedy: "put it back",
      }),
    };
  } catch (error) {
    throw explainWriteError(error, paths.folder);
  }
}

type SecretKind = { make(): string; isWhole(text: string): boolean; remedy: string };

async function readOrMake(file: string, mayMake: boolean, kind: SecretKind): Promise<string> {
  const text = (
    await readFile(file, "utf8").catch((error) => {
      if (error.code === "ENOENT") return "";
      throw error;
    })
  ).trim();
  // Keys of earlier rotations may follow on further lines.
  const [first = ""] = text.split("\n");
  if (text !== "") {
    if (!kind.isWhole(first))
      throw new Refusal(`The secret in ${file} is damaged: ${kind.remedy}.`);
    return first;
  }
  if (!mayMake)
    throw new Refusal(
      `The secret in ${file} is missing, and the database needs it: ${kind.remedy}.`,
    );
  const made = kind.make();
  await writeFileAtomically(file, `${made}\n`, 0o600);
  return made;
}
