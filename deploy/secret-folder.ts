import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";

/** The files below `secrets/`, each with one secret. */
export interface SecretFiles {
  /** Names of those that were written, each once. */
  readonly made: readonly string[];
  /** @returns the file's text without blanks around it; empty if there is no such file. */
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
  /**
   * Writes a file that is missing or empty, or whose text is not current.
   * @param make gets the present text, which may be empty.
   * @returns the text.
   */
  ensure(
    name: string,
    make: (present: string) => string,
    isCurrent?: (present: string) => boolean,
  ): Promise<string>;
}

/**
 * Opens the folder, which is created if it is missing. Only this user may enter it. The files are readable to all, because
 * a container runs as another user and sees them with the same rights.
 */
export async function openSecretFolder(folder: string): Promise<SecretFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: string[] = [];
  const files: SecretFiles = {
    made,
    read: async (name) => {
      try {
        return (await readFile(path.join(folder, name), "utf8")).trim();
      } catch (error) {
        if (errorCode(error) === "ENOENT") return "";
        throw error;
      }
    },
    write: async (name, text) => {
      await writeFileAtomically(path.join(folder, name), `${text}\n`, 0o644);
      if (!made.includes(name)) made.push(name);
    },
    ensure: async (name, make, isCurrent = () => true) => {
      const present = await files.read(name);
      if (present && isCurrent(present)) return present;
      const text = make(present);
      await files.write(name, text);
      return text;
    },
  };
  return files;
}
