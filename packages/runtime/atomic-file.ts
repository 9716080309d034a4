import { open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** Writes a file so that a reader finds either the old or the whole new content, even after a crash. */
export async function writeFileAtomically(
  file: string,
  content: string,
  mode: number,
): Promise<void> {
  const temporary = `${file}.tmp-${process.pid}`;
  try {
    const handle = await open(temporary, "w", mode);
    try {
      await handle.writeFile(content);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes the names in a folder durable, if the system supports it. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, so the rename has to be enough.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
