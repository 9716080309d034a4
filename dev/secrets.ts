import { randomBytes } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { parseMasterKey } from "#kit/keys/wrapping.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import type { DataPaths } from "./data-folder.ts";
import { errorCode, explainWriteError, Refusal } from "./refusal.ts";

/** What an instance must keep to itself, and to the next start. */
export type Secrets = {
  /** 32 bytes each, the current one first: they wrap the keys of personal data. */
  masterKeys: readonly Buffer[];
  /** Password of the embedded PostgreSQL's only role. */
  databasePassword: string;
};

/**
 * Reads the secrets of a data folder, making what the first start lacks. A secret is never made
 * anew beside a database that was made with an older one, since it would not open it.
 *
 * @param given MASTER_KEY of the environment; it wins, and then no file is made. Like the file, it
 *   may hold former keys after the current one while keys are being rotated.
 * @throws {Refusal} a secret is missing, damaged or cannot be written.
 */
export async function openSecrets(
  paths: DataPaths,
  given: { masterKey: string | undefined },
): Promise<Secrets> {
  const firstStart = !(await lstat(paths.cluster).catch(() => undefined));
  try {
    return {
      masterKeys: given.masterKey
        ? parseKeys(given.masterKey, "MASTER_KEY holds no master key")
        : parseKeys(
            await readOrMake(paths.masterKey, firstStart, {
              make: () => randomBytes(32).toString("base64"),
              remedy: masterKeyRemedy,
            }),
            `The secret in ${paths.masterKey} is damaged: ${masterKeyRemedy}`,
          ),
      databasePassword: await readOrMake(paths.databasePassword, firstStart, {
        make: () => randomBytes(24).toString("base64url"),
        remedy: "put it back",
      }),
    };
  } catch (error) {
    throw explainWriteError(error, paths.folder);
  }
}

const masterKeyRemedy = "put it back, or give the key in MASTER_KEY";

function parseKeys(text: string, complaint: string): Buffer[] {
  try {
    return text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseMasterKey);
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
