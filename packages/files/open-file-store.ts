import { fileURLToPath } from "node:url";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { openFolderFileStore } from "./folder/folder-file-store.ts";
import type { FileStore } from "./port.ts";
import { openS3FileStore } from "./s3/s3-file-store.ts";
import { readS3Url } from "./s3/s3-url.ts";

/**
 * The URL's scheme selects the store. Nothing is written or asked before its first call.
 * @throws {ConfigInvalid}
 */
export function openFileStore(url: string): FileStore {
  return chooseByScheme<FileStore>("FILES_URL", url, {
    file: () => openFolderFileStore(fileURLToPath(url)),
    s3: () => {
      const address = readS3Url(url);
      if (address) return openS3FileStore(address);
      throw new ConfigInvalid([
        "FILES_URL must be like s3://key:secret@host/bucket, with a folder after the bucket if wanted, and ?region= and ?tls=false where the server needs them",
      ]);
    },
  });
}
