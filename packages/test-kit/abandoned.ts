import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Creates a folder that `removeAbandoned` removes once this process has ended. */
export async function makeOwnedFolder(within: string, prefix: string): Promise<string> {
  const folder = await mkdtemp(path.join(within, prefix));
  await writeFile(path.join(folder, "owner"), String(process.pid));
  return folder;
}

/**
 * Removes the folders of killed test runs.
 * @param within their parent; may be missing.
 * @param end ends what still uses the folder.
 */
export async function removeAbandoned(
  within: string,
  prefix: string,
  end: (folder: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const name of await readdir(within).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(within, name);
    const owner = Number(await readFile(path.join(folder, "owner"), "utf8").catch(() => ""));
    if (!owner || isRunning(owner)) continue;
    await end(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
