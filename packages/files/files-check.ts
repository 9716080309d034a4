import type { FileStore } from "./port.ts";

/**
 * Reports the file store in `/readyz`. It is never "not ready": a service does everything else
 * without it.
 */
export function filesCheck(files: Pick<FileStore, "ping">) {
  return {
    files: async () => {
      const reachable = await files.ping().then(
        () => true,
        () => false,
      );
      return { ok: true, detail: { reachable } };
    },
  };
}
