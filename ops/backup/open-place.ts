import { fileURLToPath } from "node:url";
import { readS3Url } from "#files/s3/s3-url.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { chooseByScheme } from "#runtime/config/urls.ts";
import { ArchiveFolder } from "./archive-folder.ts";
import type { ArchivePlace } from "./place.ts";
import { ArchiveBucket } from "./s3/archive-bucket.ts";

/**
 * Where archives are kept. Nothing is written or asked before its first call.
 * @param variable that holds the URL, for the message.
 * @throws {ConfigInvalid}
 */
export function openPlace(variable: string, url: string): ArchivePlace {
  return chooseByScheme<ArchivePlace>(variable, url, {
    file: () => new ArchiveFolder(fileURLToPath(url)),
    s3: () => {
      const address = readS3Url(url);
      if (address) return new ArchiveBucket(address);
      throw new ConfigInvalid([
        `${variable} must be like s3://key:secret@host/bucket, with a folder after the bucket if wanted, and ?region= and ?tls=false where the server needs them`,
      ]);
    },
  });
}
