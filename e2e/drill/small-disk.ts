import { spawnSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** A disk of its own, in memory, that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): Promise<void>;
  /** Removes what filled it. */
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

/** @returns undefined where nobody may mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-drill-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=1777`, "tmpfs", folder];
  if (spawnSync("mount", options).status !== 0) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = path.join(folder, "filler");
  return {
    folder,
    async fill() {
      const file = await open(filler, "w");
      try {
        for (const bytes of [1 << 20, 1 << 12]) await writeUntilFull(file, Buffer.alloc(bytes));
      } finally {
        await file.close();
      }
    },
    clear: () => rm(filler, { force: true }),
    async dispose() {
      spawnSync("umount", ["--lazy", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, part: Buffer): Promise<void> {
  for (;;) {
    const written = await file.write(part).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOSPC") return undefined;
      throw error;
    });
    if (!written || written.bytesWritten < part.length) return;
  }
}
